import { failure } from '../platform/result';
import { MAX_OPEN_INVITATIONS_PER_TENANT, MAX_ROLES_PER_TENANT, MAX_TENANTS_PER_PERSON } from './domain/tenant-limits';

/** What tenants, roles, members and invitations can refuse (contract section 10). */
export const TenantFailures = {
  builtInRole: failure('BUILT_IN_ROLE', 'forbidden', 'A built-in role cannot be changed or deleted.'),
  roleNameTaken: failure('ROLE_NAME_TAKEN', 'conflict', 'This tenant already has a role of that name.'),
  roleInUse: failure('CONFLICT', 'conflict', 'This role still has members. Give them another one first.'),
  permissionNotHeld: failure(
    'PERMISSION_NOT_HELD',
    'forbidden',
    'You cannot give or take away what you do not hold yourself.',
  ),
  ownerRoleFixed: failure(
    'OWNER_ROLE_FIXED',
    'conflict',
    'The Owner role changes hands only by a transfer of ownership.',
  ),
  ownerCannotLeave: failure(
    'OWNER_CANNOT_LEAVE',
    'conflict',
    'The Owner cannot leave. Hand the ownership over first, or delete the tenant.',
  ),
  heirDisabled: failure(
    'CONFLICT',
    'conflict',
    'The account of this member is disabled: they could not act as the Owner.',
  ),
  subscriptionActive: failure(
    'SUBSCRIPTION_ACTIVE',
    'conflict',
    'This tenant has a subscription that would still be charged. Cancel it first.',
  ),
  tooManyTenants: failure(
    'LIMIT_REACHED',
    'conflict',
    `Nobody can be in more than ${MAX_TENANTS_PER_PERSON} tenants. Leave one first.`,
  ),
  tooManyRoles: failure(
    'LIMIT_REACHED',
    'conflict',
    `A tenant can have no more than ${MAX_ROLES_PER_TENANT} roles. Delete one first.`,
  ),
  tooManyInvitations: failure(
    'LIMIT_REACHED',
    'conflict',
    `A tenant can have no more than ${MAX_OPEN_INVITATIONS_PER_TENANT} open invitations. Take one back first.`,
  ),
  alreadyMember: failure('ALREADY_MEMBER', 'conflict', 'This person is already a member of the tenant.'),
  alreadyInvited: failure(
    'ALREADY_INVITED',
    'conflict',
    'An invitation for this address is already waiting. You can send it again.',
  ),
  invitationInvalid: failure(
    'INVITATION_INVALID',
    'invalid',
    'This invitation is not valid: it was used, taken back or replaced, or whoever sent it may not invite so any more.',
  ),
  invitationExpired: failure('INVITATION_EXPIRED', 'invalid', 'This invitation has expired. Ask for a new one.'),
  invitationForOther: failure(
    'INVITATION_FOR_OTHER_ADDRESS',
    'forbidden',
    'This invitation was sent to another address than yours.',
  ),
};
