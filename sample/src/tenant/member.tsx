import { Avatar, Chip } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useNavigate } from 'react-router';
import { Ask } from '../form/ask';
import { Row } from '../list/row';
import { api, useActing, useClaims, useMay } from '../session';
import { RoleField } from './rolefield';

/** A member, and what one's role lets one do about them. */
export function MemberRow({ member }: { member: Schemas['MemberView'] }) {
  const { userId, name, email, role } = member;
  const claims = useClaims();
  const mayManage = useMay()('tenant.members.manage');
  const acting = useActing();
  const navigate = useNavigate();
  const isSelf = claims?.sub === userId;
  const isOwner = role === 'Owner'; // a name that no other role can have
  const params = { path: { userId } };
  // The next token tells of the new role, or of another workspace; waiting for it would take up to
  // 15 minutes.
  const leave = () => void api.session.renew().then(() => navigate('/'));
  const title = (
    <>
      {name} {isSelf && <Chip size="small" variant="outlined" label="You" />}
    </>
  );
  const change = (
    <Ask
      button="Change role"
      about={`of ${name}`}
      whyNot={acting}
      title={`Role of ${name}`}
      submit="Save"
      send={({ roleId = '' }) => api.PATCH('/tenants/current/members/{userId}', { params, body: { roleId } })}
    >
      <RoleField defaultValue={member.roleId} />
    </Ask>
  );
  const handOver = (
    <Ask
      button="Make owner"
      about={name}
      whyNot={acting}
      title={`Hand over to ${name}?`}
      text={`${name} becomes the owner of this workspace, and you become an admin. Only ${name} can undo this.`}
      submit="Hand over"
      isDanger
      send={() => api.POST('/tenants/current/ownership', { body: { userId } })}
      onDone={() => void api.session.renew()}
    />
  );
  const part = (
    <Ask
      button={isSelf ? 'Leave' : 'Remove'}
      about={isSelf ? 'workspace' : name}
      whyNot={acting}
      title={isSelf ? 'Leave this workspace?' : `Remove ${name}?`}
      text={`${isSelf ? 'You lose' : `${name} loses`} access to everything in this workspace.`}
      submit={isSelf ? 'Leave' : 'Remove'}
      isDanger
      send={() => api.DELETE('/tenants/current/members/{userId}', { params })}
      onDone={() => isSelf && leave()}
    />
  );
  return (
    <Row
      picture={
        <Avatar src={member.pictureUrl ?? undefined} alt="">
          {name.charAt(0).toUpperCase()}
        </Avatar>
      }
      title={title}
      text={`${email} · ${role}`}
    >
      {!isOwner && mayManage && change}
      {!isOwner && !isSelf && claims?.role === 'Owner' && handOver}
      {!isOwner && (mayManage || isSelf) && part}
    </Row>
  );
}
