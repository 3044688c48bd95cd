/** What other modules may use of this one. */
export { InvitationQuota } from './services/invitation-quota';
export { SeatLimit } from './services/seat-limit';
export {
  activeMembership,
  joinedMembership,
  MEMBERSHIP_COLUMNS,
  membershipClaims,
  requestedMembership,
  sessionMembership,
  type MembershipRow,
  type ProvenSession,
} from './data/membership-claims';
export { InvitationDetailsRepository } from './data/invitation-details.repository';
export { MembersWithoutFactor } from './data/members-without-factor';
export { RoleGrantPolicy } from './services/role-grant-policy';
export { OwnedTenants, type OwnedTenant } from './data/owned-tenants';
export { SeatCounts, type SeatCount } from './data/seat-counts';
export { TenantsOfUser } from './data/tenants-of-user';
export { Membership } from './domain/membership';
export { permissionsOf } from './domain/built-in-roles';
export { mustHoldAll, Role } from './domain/role';
export { Tenant } from './domain/tenant';
export { TenantProvisioning, workspaceNameOf } from './services/tenant-provisioning';
export { MembershipEnrolment } from './services/membership-enrolment';
export { MemberCount } from './services/member-count';
export { TenantDeparture, type LockedUser } from './services/tenant-departure';
export { TenantOwners, type TenantOwner } from './services/tenant-owners';
export { ListMembers } from './queries/list-members';
export { ListTenants } from './queries/list-tenants';
export {
  InvitationSent,
  MemberJoined,
  MemberRemoved,
  MemberRoleChanged,
  OwnershipTransferred,
  RoleUpdated,
  TenantDeleted,
  TenantRenamed,
} from './tenants.events';
export { TenantFailures } from './tenants.failures';
export { MembershipView, MemberView } from './http/views/tenants.views';
