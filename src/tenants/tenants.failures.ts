import { failure } from '../platform/result';

/** What tenants, roles, members and invitations can refuse (contract section 10). */
export const TenantFailures = {
  builtInRole: failure('BUILT_IN_ROLE', 'forbidden', 'A built-in role cannot be changed or deleted.'),
  roleNameTaken: failure('ROLE_NAME_TAKEN', 'conflict', 'This tenant already has a role of that name.'),
  roleInUse: failure('CONFLICT', 'conflict', 'This role still has members. Give them another one first.'),
  permissionNotHeld: failure('PERMISSION_NOT_HELD', 'forbidden', 'You cannot give or take away what you do not hold yourself.'),
  ownerRoleFixed: failure('OWNER_ROLE_FIXED', 'conflict', 'The Owner role changes hands only by a transfer of ownership.'),
  ownerCannotLeave: failure('OWNER_CANNOT_LEAVE', 'conflict', 'The Owner cannot leave. Hand the ownership over first, or delete the tenant.'),
  subscriptionActive: failure('SUBSCRIPTION_ACTIVE', 'conflict', 'This tenant has a subscription that would still be charged. Cancel it first.'),
  alreadyMember: failure('ALREADY_MEMBER', 'conflict', 'This person is already a member of the tenant.'),
  alreadyInvited: failure('ALREADY_INVITED', 'conflict', 'An invitation for this address is already waiting. You can send it again.'),
  invitationInvalid: failure('INVITATION_INVALID', 'invalid', 'This invitation is not valid: it was used, taken back or replaced.'),
  invitationExpired: failure('INVITATION_EXPIRED', 'invalid', 'This invitation has expired. Ask for a new one.'),
  invitationForOther: failure('INVITATION_FOR_OTHER_ADDRESS', 'forbidden', 'This invitation was sent to another address than yours.'),
};
