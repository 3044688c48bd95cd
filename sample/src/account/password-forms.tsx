import { useState } from 'react';
import { Field, NewPasswordField } from '../form/field';
import { Form } from '../form/form';
import { Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { api } from '../session';

/** Another password; all other sessions end with it. */
export function Password() {
  const showToast = useToast();
  const [changes, setChanges] = useState(0); // a new form after each: what was typed does not stay
  const change = ({ currentPassword = '', newPassword = '' }) =>
    api.PUT('/auth/password', { body: { currentPassword, newPassword } });
  const done = () => {
    setChanges(changes + 1);
    showToast('Your password is changed. Your other sessions have ended.');
  };
  return (
    <Section title="Password" text="Your other sessions end when you change it.">
      <Form
        key={changes}
        submit="Change password"
        send={change}
        onDone={done}
        at={{ INVALID_CREDENTIALS: 'currentPassword' }}
      >
        <Field name="currentPassword" label="Current password" type="password" autoComplete="current-password" />
        <NewPasswordField name="newPassword" />
      </Form>
    </Section>
  );
}

/** A password where there is none yet. */
export function FirstPassword() {
  const showToast = useToast();
  return (
    <Section title="Password" text="You have none. With one you can also sign in without a link or a provider.">
      <Form
        submit="Set password"
        send={({ newPassword = '' }) => api.POST('/auth/password', { body: { password: newPassword } })}
        onDone={() => showToast('Your password is set. Your other sessions have ended.')}
      >
        <NewPasswordField name="newPassword" />
      </Form>
    </Section>
  );
}
