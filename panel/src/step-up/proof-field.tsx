import { TextField, type TextFieldProps } from '@mui/material';

/** What proves an identity, by the names of the API. */
export type Proof = 'passkey' | TypedProof;
type TypedProof = 'password' | 'code' | 'recoveryCode';

const FIELDS: Readonly<Record<TypedProof, TextFieldProps>> = {
  password: { label: 'Your password', type: 'password', autoComplete: 'current-password' },
  code: {
    label: '6-digit code',
    autoComplete: 'one-time-code',
    slotProps: { htmlInput: { inputMode: 'numeric', maxLength: 12 } },
  },
  recoveryCode: { label: 'Recovery code', autoComplete: 'off' },
};

/** The field for a proof of the identity, which takes the focus. A passkey has none. */
export const ProofField = ({ proof, isWrong }: { proof: Proof; isWrong: boolean }) =>
  proof !== 'passkey' && (
    <TextField name={proof} error={isWrong} required autoFocus fullWidth size="medium" {...FIELDS[proof]} />
  );
