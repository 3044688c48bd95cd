import type { Role } from '../../tenants/tenants.api';

/** The part of a role that says what it permits. */
export type GrantorRole = Pick<Role, 'name' | 'isBuiltIn' | 'permissions'>;

/**
 * The role of the member whose permissions a receiver needs, as a GrantorRole. Null: nobody is
 * recorded, or the person is no member any more; then it stays as it is until somebody takes it
 * over.
 * @param receiver the alias of the receiver's table
 */
export const grantorRoleOf = (receiver: string) => `
  (SELECT jsonb_build_object('name', r.name, 'isBuiltIn', r.is_built_in, 'permissions', r.permissions)
     FROM memberships m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
    WHERE m.tenant_id = ${receiver}.tenant_id AND m.user_id = ${receiver}.granted_by)`;
