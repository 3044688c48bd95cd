/**
 * Limits (docs/contract.md, Roles and memberships): high enough for any use, and low enough to keep
 * reading all rows cheap.
 */
export const MAX_TENANTS_PER_USER = 50;
export const MAX_ROLES_PER_TENANT = 200;
export const MAX_PENDING_INVITATIONS_PER_TENANT = 500;
