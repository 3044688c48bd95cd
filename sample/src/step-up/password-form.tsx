import { PasswordField } from '../form/field';
import { Form } from '../form/form';
import { api, useClaims } from '../session';
import type { StepUpFormProps } from './step-up-dialog';

/** Confirms the identity with the password. */
export function PasswordForm({ otherWay, ...form }: StepUpFormProps) {
  const email = useClaims()?.email;
  return (
    <Form
      {...form}
      submit="Confirm"
      send={({ password = '' }) => api.POST('/auth/step-up', { body: { password } })}
      fieldErrors={{ INVALID_CREDENTIALS: { field: 'password', message: 'Incorrect password.' } }}
    >
      <input type="hidden" name="email" autoComplete="username" defaultValue={email} />
      <PasswordField label="Your password" autoFocus />
      {otherWay}
    </Form>
  );
}
