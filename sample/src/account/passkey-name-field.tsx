import { Field } from '../form/field';

/** The name by which the user recognizes a passkey. @param name the one to change */
export const PasskeyNameField = ({ name, helperText }: { readonly name: string; readonly helperText?: string }) => (
  <Field
    name="name"
    label="Name"
    autoComplete="off"
    autoFocus
    defaultValue={name}
    helperText={helperText}
    emptyMessage="Enter a name."
  />
);
