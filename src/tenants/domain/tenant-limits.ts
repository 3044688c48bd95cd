/**
 * How many there may be (contract section 11): more than anybody needs, and few enough for what
 * reads all of them to stay cheap.
 */
export const MAX_TENANTS_PER_PERSON = 50;
export const MAX_ROLES_PER_TENANT = 200;
export const MAX_OPEN_INVITATIONS_PER_TENANT = 500;
