import { TextField, type TextFieldProps } from '@mui/material';
import { use } from 'react';
import { FieldErrors } from './form';

/** A text field of a form; what the service finds wrong with it is shown under it. */
export function Field({ name, helperText, ...props }: TextFieldProps & { readonly name: string }) {
  const faults = use(FieldErrors)[name];
  const said = faults?.map((fault) => fault.charAt(0).toUpperCase() + fault.slice(1)).join('. ');
  return <TextField name={name} fullWidth error={Boolean(faults)} helperText={said ?? helperText} {...props} />;
}

/** An address of one's own, as password managers know it. */
export const EmailField = (props: { readonly defaultValue?: string }) => (
  <Field name="email" label="Email" type="email" autoComplete="username" {...props} />
);

/** A password to choose. */
export const NewPasswordField = ({
  name = 'password',
  autoFocus,
}: {
  readonly name?: string;
  readonly autoFocus?: boolean;
}) => (
  <Field
    name={name}
    autoFocus={autoFocus}
    label={name === 'password' ? 'Password' : 'New password'}
    type="password"
    autoComplete="new-password"
    helperText="8 to 128 characters"
  />
);
