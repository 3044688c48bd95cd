import { useState } from 'react';
import { NewPasswordField, PasswordField } from '../form/field';
import { Form } from '../form/form';
import { Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { api } from '../session';

const OTHER_DEVICES = 'Other devices have been signed out.';

/** Changes the password. All other sessions end. */
export function ChangePassword() {
  const showToast = useToast();
  const [changes, setChanges] = useState(0); // a new, empty form after each change
  const change = ({ currentPassword = '', newPassword = '' }) =>
    api.PUT('/auth/password', { body: { currentPassword, newPassword } });
  const done = () => {
    setChanges(changes + 1);
    showToast(`Password updated. ${OTHER_DEVICES}`);
  };
  return (
    <Section title="Password" text="Changing your password signs you out on all other devices.">
      <Form
        key={changes}
        submit="Change password"
        send={change}
        onDone={done}
        fieldErrors={{ INVALID_CREDENTIALS: { field: 'currentPassword', message: 'Incorrect password.' } }}
      >
        <PasswordField name="currentPassword" label="Current password" />
        <NewPasswordField name="newPassword" />
      </Form>
    </Section>
  );
}

/** Sets the password of an account that has none. */
export function FirstPassword() {
  const showToast = useToast();
  return (
    <Section title="Password" text="You don’t have a password yet. Set one to sign in without a link or a provider.">
      <Form
        submit="Set password"
        send={({ newPassword = '' }) => api.POST('/auth/password', { body: { password: newPassword } })}
        onDone={() => showToast(`Password set. ${OTHER_DEVICES}`)}
      >
        <NewPasswordField name="newPassword" />
      </Form>
    </Section>
  );
}
