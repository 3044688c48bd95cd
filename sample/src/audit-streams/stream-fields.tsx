import { MenuItem } from '@mui/material';
import { useState } from 'react';
import { useEntitlement } from '../billing/entitlements';
import { duration } from '../billing/plan-features';
import { MONOSPACE } from '../form/code-fields';
import { Field } from '../form/field';
import type { AuditStream } from './stream-queries';
import { ALL, AUTHORIZATION_CHANGES, NOW, ON_A_DATE } from './stream-terms';

const SHRUNK = { inputLabel: { shrink: true } };

/** What receivers ask for besides the signature: `authorization`, and what becomes of it. */
export function AuthorizationFields({ stream }: { stream?: AuditStream }) {
  const [change, setChange] = useState<string>('keep');
  if (!stream?.hasAuthorization) return <AuthorizationField helperText="Optional, if your receiver expects a token." />;
  return (
    <>
      <Field
        select
        name="authorizationChange"
        label="Authorization header"
        value={change}
        helperText={change === 'keep' ? 'A URL with another host removes it.' : undefined}
        onChange={({ target }) => setChange(target.value)}
      >
        {AUTHORIZATION_CHANGES.map(([value, name]) => (
          <MenuItem key={value} value={value}>
            {name}
          </MenuItem>
        ))}
      </Field>
      {change === 'replace' && <AuthorizationField label="New value" />}
    </>
  );
}

interface AuthorizationFieldProps {
  readonly label?: string;
  readonly helperText?: string;
}

const AuthorizationField = ({ label = 'Authorization header', helperText }: AuthorizationFieldProps) => (
  <Field
    name="authorization"
    {...{ label, helperText }}
    placeholder="Bearer …"
    autoComplete="off"
    emptyMessage="Enter the value of the header."
    slotProps={{
      htmlInput: { spellCheck: false, autoCapitalize: 'none' },
      input: { sx: { fontFamily: MONOSPACE, fontSize: '0.875rem' } },
    }}
  />
);

/** The first entry that is sent: `start`, and `from` for a date. */
export function StartFields() {
  const [start, setStart] = useState<string>(NOW);
  const days = useEntitlement('auditRetentionDays')?.limit;
  return (
    <>
      <Field
        select
        name="start"
        label="Begins with"
        value={start}
        helperText={start !== NOW && days ? `Your plan keeps the audit log for ${duration(days)}.` : undefined}
        onChange={({ target }) => setStart(target.value)}
      >
        <MenuItem value={NOW}>What happens from now on</MenuItem>
        <MenuItem value={ON_A_DATE}>A date</MenuItem>
        <MenuItem value={ALL}>Everything in the audit log</MenuItem>
      </Field>
      {start === ON_A_DATE && (
        <Field name="from" label="Date" type="date" emptyMessage="Choose a date." slotProps={SHRUNK} />
      )}
    </>
  );
}
