import Box from '@mui/material/Box';
import { CopyButton } from './copy-button';
import { Field } from './field-list';

interface CopyableFieldProps {
  readonly name: string;
  readonly value: string | null;
}

/** A field with a value that is often needed elsewhere, and a button that copies it. */
export const CopyableField = ({ name, value }: CopyableFieldProps) => (
  <Field name={name}>
    {value && (
      <>
        {value}
        <CopyButton name={name} value={value} />
      </>
    )}
  </Field>
);

/** A value in a table; its button appears when the mouse or the focus is in the row. */
export const CopyableCell = ({ name, value }: { name: string; value: string }) => (
  <Box component="span" sx={QUIET}>
    {value}
    <CopyButton name={`${name} ${value}`} value={value} />
  </Box>
);

/** Screens without a mouse have no hover: there the button is always visible. */
const QUIET = {
  '@media (hover: hover)': {
    '& .copy-button': { opacity: 0 },
    'tr:hover & .copy-button, & .copy-button:focus-visible': { opacity: 1 },
  },
};

/** A field with an ID, on a line of its own, and a button that copies it. */
export const IdField = ({ name, id }: { name: string; id: string | null }) => (
  <Field name={name} isWide>
    {id && (
      <Box component="span" sx={{ fontFamily: 'monospace', fontSize: '0.8125rem' }}>
        {id}
        <CopyButton name={name} value={id} />
      </Box>
    )}
  </Field>
);
