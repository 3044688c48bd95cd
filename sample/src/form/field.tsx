import { TextField, type TextFieldProps } from '@mui/material';
import { use } from 'react';
import { FieldErrors } from './form';

interface FieldProps {
  readonly name: string;
  /** Shown where the field is required and was left empty. */
  readonly emptyMessage?: string;
}

/** A text field of a form, with what the API finds wrong with it. */
export function Field({ name, emptyMessage, helperText, ...props }: TextFieldProps & FieldProps) {
  const error = use(FieldErrors)[name];
  const message = error?.isEmpty ? (emptyMessage ?? error.message) : error?.message;
  return <TextField name={name} fullWidth error={Boolean(error)} helperText={message ?? helperText} {...props} />;
}

interface EmailFieldProps extends Pick<TextFieldProps, 'autoFocus' | 'defaultValue' | 'onChange'> {
  /** Whether browsers offer passkeys beside the addresses that they know. */
  readonly hasPasskeys?: boolean;
}

/** The user's own email address, as password managers know it. */
export const EmailField = ({ hasPasskeys, ...props }: EmailFieldProps) => (
  <Field
    name="email"
    label="Email"
    type="email"
    autoComplete={hasPasskeys ? 'username webauthn' : 'username'}
    emptyMessage="Enter your email address."
    {...props}
  />
);

/** The password of an existing account. */
export const PasswordField = ({
  name = 'password',
  label = 'Password',
  autoFocus,
}: {
  readonly name?: string;
  readonly label?: string;
  readonly autoFocus?: boolean;
}) => (
  <Field
    name={name}
    label={label}
    autoFocus={autoFocus}
    type="password"
    autoComplete="current-password"
    emptyMessage="Enter your password."
  />
);

/** The user's own name. */
export const NameField = (props: Pick<TextFieldProps, 'autoFocus' | 'defaultValue'>) => (
  <Field name="name" label="Your name" autoComplete="name" emptyMessage="Enter your name." {...props} />
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
    emptyMessage="Choose a password with 8 to 128 characters."
  />
);
