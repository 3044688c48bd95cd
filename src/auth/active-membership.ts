import type { AccessClaims } from '../edge/access-tokens';

/** The part of a token's claims that comes from the tenant. */
export type MembershipClaims = Pick<AccessClaims, 'tenant_id' | 'role' | 'permissions'>;

/** The one place where a token's tenant, role and permissions come from. There are no tenants yet: everybody is in none. */
export function activeMembership(): MembershipClaims {
  return { role: '', permissions: [] };
}
