import { TextField, type TextFieldProps } from '@mui/material';

interface ReasonFieldProps extends Pick<TextFieldProps, 'autoFocus' | 'placeholder' | 'helperText' | 'required'> {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** The longest reason that the API takes. */
const MAX_LENGTH = 500;

/** The reason for an operator's action, which is kept in the audit log. */
export const ReasonField = ({ onChange, required = true, ...field }: ReasonFieldProps) => (
  <TextField
    {...field}
    required={required}
    label={required ? 'Reason' : 'Reason (optional)'}
    autoComplete="off"
    slotProps={{ htmlInput: { maxLength: MAX_LENGTH } }}
    fullWidth
    onChange={({ target }) => onChange(target.value)}
  />
);

/** Who reads the reason of an action on a tenant. */
export const READ_BY_TENANT = 'Kept in the audit log. Members who can read the audit log of the workspace see it.';

/** Whether a reason was given. */
export const hasReason = (reason: string) => reason.trim() !== '';
