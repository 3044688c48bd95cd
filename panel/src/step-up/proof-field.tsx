import { TextField, type TextFieldProps } from '@mui/material';

/** The fields that prove an identity, by the names of the API. */
export type Proof = 'password' | 'code' | 'recoveryCode';

const FIELDS: Readonly<Record<Proof, TextFieldProps>> = {
  password: { label: 'Your password', type: 'password', autoComplete: 'current-password' },
  code: {
    label: '6-digit code',
    autoComplete: 'one-time-code',
    slotProps: { htmlInput: { inputMode: 'numeric', maxLength: 12 } },
  },
  recoveryCode: { label: 'Recovery code', autoComplete: 'off' },
};

/** The field for a proof of the identity. It takes the focus. */
export const ProofField = ({ proof, isWrong }: { proof: Proof; isWrong: boolean }) => (
  <TextField name={proof} error={isWrong} required autoFocus fullWidth size="medium" {...FIELDS[proof]} />
);
