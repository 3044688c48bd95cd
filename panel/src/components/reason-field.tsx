import { TextField, type TextFieldProps } from '@mui/material';

interface ReasonFieldProps extends Pick<TextFieldProps, 'autoFocus' | 'placeholder' | 'helperText'> {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** The reason for an operator's action, which is kept in the audit log. */
export const ReasonField = ({ onChange, ...field }: ReasonFieldProps) => (
  <TextField
    {...field}
    required
    label="Reason"
    autoComplete="off"
    fullWidth
    onChange={({ target }) => onChange(target.value)}
  />
);

/** Whether a reason was given. */
export const hasReason = (reason: string) => reason.trim() !== '';
