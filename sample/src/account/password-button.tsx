import { NewPasswordField, PasswordField } from '../form/field';
import { DialogButton } from '../form/form-dialog';
import { useToast } from '../layout/toasts';
import { api, useClaims } from '../session';

const OTHER_DEVICES = 'You’ll be signed out on all other devices.';
const SIGNED_OUT = 'Other devices have been signed out.';

/** Changes the password, or sets the first one. All other sessions end. */
export function PasswordButton({ hasPassword }: { hasPassword: boolean }) {
  const showToast = useToast();
  const email = useClaims()?.email;
  const username = <input type="hidden" name="email" autoComplete="username" defaultValue={email} />;
  if (!hasPassword) {
    return (
      <DialogButton
        button="Set password"
        title="Set a password"
        text={`You can then also sign in with your email address and this password. ${OTHER_DEVICES}`}
        submit="Set password"
        send={({ newPassword = '' }) => api.POST('/auth/password', { body: { password: newPassword } })}
        onDone={() => showToast(`Password set. ${SIGNED_OUT}`)}
      >
        {username}
        <NewPasswordField name="newPassword" autoFocus />
      </DialogButton>
    );
  }
  const change = ({ currentPassword = '', newPassword = '' }) =>
    api.PUT('/auth/password', { body: { currentPassword, newPassword } });
  return (
    <DialogButton
      button="Change password"
      title="Change your password"
      text={OTHER_DEVICES}
      submit="Change password"
      send={change}
      onDone={() => showToast(`Password changed. ${SIGNED_OUT}`)}
      fieldErrors={{ INVALID_CREDENTIALS: { field: 'currentPassword', message: 'Incorrect password.' } }}
    >
      {username}
      <PasswordField name="currentPassword" label="Current password" autoFocus />
      <NewPasswordField name="newPassword" />
    </DialogButton>
  );
}
