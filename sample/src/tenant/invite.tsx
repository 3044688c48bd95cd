import { Ask } from '../form/ask';
import { Field } from '../form/field';
import { useSay } from '../frame/snack';
import { api, useActing } from '../session';
import { RoleField } from './rolefield';

/** Asks somebody in, by mail. */
export function Invite() {
  const say = useSay();
  return (
    <Ask
      button="Invite"
      variant="contained"
      whyNot={useActing()}
      title="Invite somebody"
      text="They get a mail with a link that works for 7 days."
      submit="Send invitation"
      send={({ email = '', roleId }) => api.POST('/tenants/current/invitations', { body: { email, roleId } })}
      onDone={(_invitation, { email }) => say(`The invitation to ${email} is on its way.`)}
      at={{ ALREADY_INVITED: 'email', ALREADY_MEMBER: 'email', PERMISSION_NOT_HELD: 'roleId' }}
    >
      <Field name="email" label="Email" type="email" autoComplete="off" autoFocus />
      <RoleField />
    </Ask>
  );
}
