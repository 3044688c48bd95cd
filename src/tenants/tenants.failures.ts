import { failure } from '../platform/result';
import { MAX_PENDING_INVITATIONS_PER_TENANT, MAX_ROLES_PER_TENANT, MAX_TENANTS_PER_USER } from './domain/tenant-limits';

/**
 * The expected failures of tenants, roles, members and invitations (docs/contract.md, Error codes).
 */
export const TenantFailures = {
  builtInRole: failure('BUILT_IN_ROLE', 'forbidden', 'A built-in role cannot be changed or deleted.'),
  roleNameTaken: failure('ROLE_NAME_TAKEN', 'conflict', 'A role with this name already exists in this tenant.'),
  roleInUse: failure('CONFLICT', 'conflict', 'This role still has members. Assign them another role first.'),
  permissionNotHeld: failure(
    'PERMISSION_NOT_HELD',
    'forbidden',
    'You can only grant and revoke permissions that you have.',
  ),
  ownerRoleFixed: failure(
    'OWNER_ROLE_FIXED',
    'conflict',
    'The Owner role can only be changed by transferring the ownership.',
  ),
  ownerCannotLeave: failure(
    'OWNER_CANNOT_LEAVE',
    'conflict',
    'The Owner cannot leave. Transfer the ownership first, or delete the tenant.',
  ),
  newOwnerDisabled: failure('CONFLICT', 'conflict', 'The account of this member is disabled. Choose another member.'),
  newOwnerLeaving: failure(
    'CONFLICT',
    'conflict',
    'The account of this member is scheduled for deletion. Choose another member.',
  ),
  subscriptionActive: failure(
    'SUBSCRIPTION_ACTIVE',
    'conflict',
    'This tenant has an active subscription. Cancel it first.',
  ),
  tooManyTenants: failure(
    'LIMIT_REACHED',
    'conflict',
    `You can be a member of at most ${MAX_TENANTS_PER_USER} tenants. Leave one first.`,
  ),
  tooManyRoles: failure(
    'LIMIT_REACHED',
    'conflict',
    `A tenant can have at most ${MAX_ROLES_PER_TENANT} roles. Delete one first.`,
  ),
  tooManyInvitations: failure(
    'LIMIT_REACHED',
    'conflict',
    `A tenant can have at most ${MAX_PENDING_INVITATIONS_PER_TENANT} pending invitations. Revoke one first.`,
  ),
  seatLimit: failure(
    'SEAT_LIMIT',
    'unpaid',
    'All seats of this tenant are taken. Upgrade its plan, or remove a member or an invitation.',
  ),
  alreadyMember: failure('ALREADY_MEMBER', 'conflict', 'This user is already a member of the tenant.'),
  alreadyInvited: failure(
    'ALREADY_INVITED',
    'conflict',
    'This address has already been invited. You can resend the invitation.',
  ),
  invitationInvalid: failure('INVITATION_INVALID', 'invalid', 'This invitation is no longer valid. Ask for a new one.'),
  invitationExpired: failure('INVITATION_EXPIRED', 'invalid', 'This invitation has expired. Ask for a new one.'),
  invitationForOther: failure(
    'INVITATION_FOR_OTHER_ADDRESS',
    'forbidden',
    'This invitation was sent to a different email address.',
  ),
};
