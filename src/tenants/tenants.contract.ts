/** What other modules may use of this one. */
export { InvitationQuota } from './invitation-quota';
export { activeMembership, MEMBERSHIP_COLUMNS, membershipClaims, type MembershipRow } from './active-membership';
export { InvitationRepository } from './data/invitation.repository';
export { Tenant } from './domain/tenant';
export { Founding, workspaceNameOf } from './founding';
export { Joining } from './joining';
export { Owners, type TenantOwner } from './owners';
export { ListMembers } from './queries/list-members';
export {
  InvitationSent,
  MemberJoined,
  MemberRemoved,
  OwnershipTransferred,
  TenantDeleted,
  TenantRenamed,
} from './tenants.events';
export { TenantFailures } from './tenants.failures';
export { MemberView } from './tenants.views';
