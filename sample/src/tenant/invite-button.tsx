import { upgradeAction } from '../billing/upgrade-prompt';
import { dateTime } from '../date-format';
import { DialogButton } from '../form/form-dialog';
import { Field } from '../form/field';
import { useToast } from '../layout/toasts';
import { api, useImpersonationBlock } from '../session';
import { RoleField } from './role-field';

/** Invites someone by email. */
export function InviteButton() {
  const showToast = useToast();
  return (
    <DialogButton
      button="Invite"
      variant="contained"
      disabledReason={useImpersonationBlock()}
      title="Invite a teammate"
      text="We’ll email them a link that’s valid for 7 days."
      submit="Send invitation"
      send={({ email = '', roleId }) => api.POST('/tenants/current/invitations', { body: { email, roleId } })}
      onDone={({ mailDelayedUntil }, { email }) =>
        showToast(
          mailDelayedUntil
            ? `Invitation created. Its email to ${email} waits until ${dateTime(mailDelayedUntil)}.`
            : `Invitation sent to ${email}.`,
        )
      }
      errorAction={upgradeAction}
      fieldErrors={{ ALREADY_INVITED: 'email', ALREADY_MEMBER: 'email', PERMISSION_NOT_HELD: 'roleId' }}
    >
      <Field
        name="email"
        label="Email"
        type="email"
        autoComplete="off"
        emptyMessage="Enter an email address."
        autoFocus
      />
      <RoleField />
    </DialogButton>
  );
}
