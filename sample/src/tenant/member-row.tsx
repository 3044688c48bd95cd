import { Avatar, Chip } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useNavigate } from 'react-router';
import { DialogButton } from '../form/form-dialog';
import { ListRow } from '../list/list-row';
import { api, useImpersonationBlock, useClaims, useHasPermission } from '../session';
import { RoleField } from './role-field';

/** A member, with the actions that the user's role allows. */
export function MemberRow({ member }: { member: Schemas['MemberView'] }) {
  const { userId, name, email, role, hasSecondFactor } = member;
  const claims = useClaims();
  const canManage = useHasPermission()('tenant.members.manage');
  const blocked = useImpersonationBlock();
  const navigate = useNavigate();
  const isSelf = claims?.sub === userId;
  const isOwner = role === 'Owner'; // a name that no other role can have
  const params = { path: { userId } };
  // Without a new token, the page would show the previous workspace for up to 15 minutes.
  const leave = () => {
    void api.session.renew().then(() => navigate('/'));
  };
  const title = (
    <>
      {name} {isSelf && <Chip size="small" variant="outlined" label="You" />}
      {hasSecondFactor === false && <Chip size="small" variant="outlined" color="warning" label="No second factor" />}
    </>
  );
  const changeRole = (
    <DialogButton
      button="Change role"
      about={`of ${name}`}
      disabledReason={blocked}
      title={`Change role of ${name}`}
      submit="Save"
      send={({ roleId = '' }) => api.PATCH('/tenants/current/members/{userId}', { params, body: { roleId } })}
    >
      <RoleField defaultValue={member.roleId} />
    </DialogButton>
  );
  const transferOwnership = (
    <DialogButton
      button="Transfer ownership"
      about={`to ${name}`}
      disabledReason={blocked}
      title={`Transfer ownership to ${name}?`}
      text={`${name} becomes the owner of this workspace and you become an admin. Only ${name} can undo this.`}
      submit="Transfer ownership"
      isDanger
      send={() => api.POST('/tenants/current/ownership', { body: { userId } })}
      onDone={() => {
        void api.session.renew();
      }}
    />
  );
  const remove = (
    <DialogButton
      button={isSelf ? 'Leave' : 'Remove'}
      about={isSelf ? 'workspace' : name}
      disabledReason={blocked}
      title={isSelf ? 'Leave this workspace?' : `Remove ${name}?`}
      text={`${isSelf ? 'You lose' : `${name} loses`} access to everything in this workspace.`}
      submit={isSelf ? 'Leave' : 'Remove'}
      isDanger
      send={() => api.DELETE('/tenants/current/members/{userId}', { params })}
      onDone={() => isSelf && leave()}
    />
  );
  return (
    <ListRow
      picture={
        <Avatar src={member.pictureUrl ?? undefined} alt="">
          {name.charAt(0).toUpperCase()}
        </Avatar>
      }
      title={title}
      text={`${email} · ${role}`}
    >
      {!isOwner && canManage && changeRole}
      {!isOwner && !isSelf && claims?.role === 'Owner' && transferOwnership}
      {!isOwner && (canManage || isSelf) && remove}
    </ListRow>
  );
}
