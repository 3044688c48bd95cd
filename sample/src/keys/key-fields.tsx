import { MenuItem } from '@mui/material';
import { useState } from 'react';
import { MONOSPACE } from '../form/code-fields';
import { Field } from '../form/field';
import { LIVES, NEVER, ON_A_DATE } from './key-terms';

const SHRUNK = { inputLabel: { shrink: true } };

/** The name by which people recognize a key. */
export const KeyNameField = ({ placeholder }: { placeholder: string }) => (
  <Field name="name" label="Name" autoComplete="off" emptyMessage="Enter a name." placeholder={placeholder} autoFocus />
);

/** When a key expires: `life`, and `expiresAt` for a date. @param canLast whether it need not */
export function ExpiryFields({ canLast = false }: { canLast?: boolean }) {
  const [life, setLife] = useState(canLast ? NEVER : '30');
  return (
    <>
      <Field select name="life" label="Expires" value={life} onChange={({ target }) => setLife(target.value)}>
        {canLast && <MenuItem value={NEVER}>Never</MenuItem>}
        {LIVES.map(([days, name]) => (
          <MenuItem key={days} value={String(days)}>
            {name}
          </MenuItem>
        ))}
        <MenuItem value={ON_A_DATE}>On a date</MenuItem>
      </Field>
      {life === ON_A_DATE && (
        <Field name="expiresAt" label="Date" type="date" emptyMessage="Choose a date." slotProps={SHRUNK} />
      )}
    </>
  );
}

/** From where a key can be used. */
export const NetworksField = () => (
  <Field
    name="allowedNetworks"
    label="Allowed networks"
    multiline
    minRows={2}
    placeholder="203.0.113.0/24"
    helperText="Optional. Addresses or ranges, one in each line. Without any, it can be used from everywhere."
    slotProps={{ htmlInput: { spellCheck: false }, input: { sx: { fontFamily: MONOSPACE, fontSize: '0.875rem' } } }}
  />
);

/** How many requests a key can send. */
export const PerMinuteField = () => (
  <Field
    name="perMinute"
    label="Requests per minute"
    type="number"
    helperText="Optional. Without a limit, as many as a person."
  />
);
