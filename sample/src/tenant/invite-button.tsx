import { DialogButton } from '../form/form-dialog';
import { Field } from '../form/field';
import { useToast } from '../layout/toasts';
import { api, useImpersonationBlock } from '../session';
import { RoleField } from './role-field';

/** Asks somebody in, by mail. */
export function InviteButton() {
  const showToast = useToast();
  return (
    <DialogButton
      button="Invite"
      variant="contained"
      disabledReason={useImpersonationBlock()}
      title="Invite somebody"
      text="They get a mail with a link that works for 7 days."
      submit="Send invitation"
      send={({ email = '', roleId }) => api.POST('/tenants/current/invitations', { body: { email, roleId } })}
      onDone={(_invitation, { email }) => showToast(`The invitation to ${email} is on its way.`)}
      at={{ ALREADY_INVITED: 'email', ALREADY_MEMBER: 'email', PERMISSION_NOT_HELD: 'roleId' }}
    >
      <Field name="email" label="Email" type="email" autoComplete="off" autoFocus />
      <RoleField />
    </DialogButton>
  );
}
