import { publicEvent } from '../platform/public-events';
import {
  FormerMemberEventView,
  InvitationEventView,
  MemberEventView,
  NewMemberEventView,
  RoleEventView,
} from './http/views/public-events.views';
import { TenantView } from './http/views/tenants.views';
import {
  InvitationRevoked,
  InvitationSent,
  MemberJoined,
  MemberRemoved,
  MemberRoleChanged,
  RoleCreated,
  RoleDeleted,
  RoleUpdated,
  TenantRenamed,
} from './tenants.events';

const ofRole = {
  schema: RoleEventView,
  permission: 'tenant.roles.read' as const,
  data: ({ role: { id, name, permissions } }: RoleCreated) => ({ id, name, permissions }),
};
const ofInvitation = {
  schema: InvitationEventView,
  permission: 'tenant.members.invite' as const,
  data: ({ invitation: { id, email, roleId, expiresAt } }: InvitationRevoked) => ({ id, email, roleId, expiresAt }),
};

/** The public events of tenants, members, roles and invitations. */
export const TENANT_EVENTS = [
  publicEvent('tenant.renamed', {
    summary: 'The tenant was renamed',
    from: TenantRenamed,
    schema: TenantView,
    permission: 'tenant.settings.read',
    data: ({ tenant: { id, name, createdAt } }) => ({ id, name, createdAt }),
  }),
  publicEvent('member.joined', {
    summary: 'A user became a member',
    from: MemberJoined,
    schema: NewMemberEventView,
    permission: 'tenant.members.read',
    data: ({ userId, role, recipients: { email, name } }) => ({
      userId,
      roleId: role.id,
      role: role.name,
      email,
      name,
    }),
  }),
  publicEvent('member.role_changed', {
    summary: 'A member received another role',
    from: MemberRoleChanged,
    schema: MemberEventView,
    permission: 'tenant.members.read',
    data: ({ userId, role }) => ({ userId, roleId: role.id, role: role.name }),
  }),
  publicEvent('member.removed', {
    summary: 'A member left or was removed',
    from: MemberRemoved,
    schema: FormerMemberEventView,
    permission: 'tenant.members.read',
    data: ({ userId }) => ({ userId }),
  }),
  publicEvent('role.created', { summary: 'A role was created', from: RoleCreated, ...ofRole }),
  publicEvent('role.updated', { summary: 'A role was changed', from: RoleUpdated, ...ofRole }),
  publicEvent('role.deleted', { summary: 'A role was deleted', from: RoleDeleted, ...ofRole }),
  publicEvent('invitation.created', { summary: 'A user was invited', from: InvitationSent, ...ofInvitation }),
  publicEvent('invitation.revoked', { summary: 'An invitation was revoked', from: InvitationRevoked, ...ofInvitation }),
];
