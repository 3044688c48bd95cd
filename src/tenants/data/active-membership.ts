import type { AccessClaims } from '../../http/access/access-tokens';
import { permissionsOf } from '../domain/built-in-roles';

/** Columns of a membership as tokens need them; of no membership all are null. */
export const MEMBERSHIP_COLUMNS = `tenant_id AS "tenantId", role, is_built_in AS "isBuiltIn", permissions`;

export interface MembershipRow {
  readonly tenantId: string | null;
  readonly role: string;
  readonly isBuiltIn: boolean;
  readonly permissions: readonly string[];
}

/**
 * The part of a token's claims that comes from the tenant (specification, JWT access token claims).
 */
export type MembershipClaims = Pick<AccessClaims, 'tenant_id' | 'role' | 'permissions'>;

/**
 * The membership that is active for a person, as a sub-select of at most one row: that in the
 * preferred tenant, else the oldest. It looks through `membership_of`, the window from a person to
 * one of their tenants, so that tokens need no second round trip and cost the same however many
 * there are.
 * @param person an SQL expression for the id of the person
 * @param preferred an SQL expression for the id of a tenant, or null
 */
export const activeMembership = (person: string, preferred: string) => `(
  SELECT * FROM membership_of(${person}, ${preferred}, true))`;

/**
 * The one place where a token's tenant, role and permissions come from. Who is in no tenant may do
 * nothing in any.
 */
export function membershipClaims({ tenantId, role, isBuiltIn, permissions }: MembershipRow): MembershipClaims {
  if (!tenantId) return { role: '', permissions: [] };
  return { tenant_id: tenantId, role, permissions: permissionsOf({ name: role, isBuiltIn, permissions }) };
}
