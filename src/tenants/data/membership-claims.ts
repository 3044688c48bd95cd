import type { AccessClaims } from '../../http/access/access-tokens';
import { select } from '../../platform/database/select-list';
import { permissionsOf } from '../domain/built-in-roles';

export interface MembershipRow {
  readonly tenantId: string | null;
  readonly role: string;
  readonly isBuiltIn: boolean;
  readonly permissions: readonly string[];
}

/** The columns of a membership that tokens need; all are null for a user without a membership. */
export const MEMBERSHIP_COLUMNS = select<MembershipRow>()({
  tenantId: 'tenant_id',
  role: 'role',
  isBuiltIn: 'is_built_in',
  permissions: 'permissions',
});

/**
 * The claims of an access token that depend on the tenant (docs/specification.md, JWT access token
 * claims).
 */
export type MembershipClaims = Pick<AccessClaims, 'tenant_id' | 'role' | 'permissions'>;

/**
 * Selects the active membership of a user, as a sub-select of at most one row: the membership in
 * the preferred tenant, otherwise the oldest. It uses the function `membership_of`, so that a
 * token needs no second round trip and costs the same however many tenants the user is a member
 * of.
 * @param user an SQL expression for the id of the user
 * @param preferred an SQL expression for the id of a tenant, or null
 */
export const activeMembership = (user: string, preferred: string) => `(
  SELECT * FROM membership_of(${user}, ${preferred}, true))`;

/** What a session has proven, as SQL expressions. */
export interface ProvenSession {
  /** The current time. */
  readonly at: string;
  readonly startedAt: string;
  /** Whether a second factor was proven. */
  readonly hasSecondFactor: string;
  readonly methods: string;
}

/** The same for a session: tenants whose sign-in policy keeps it out are left out. */
export const sessionMembership = (user: string, preferred: string, proven: ProvenSession) => `(
  SELECT * FROM session_membership_of(${user}, ${preferred}, true, ${argumentsOf(proven)}))`;

/**
 * The membership of a session in the tenant that a request names, else in the active one, else the
 * oldest one: a value, whose fields are those of `MembershipRow`.
 * @param named an SQL expression for the id of a tenant, or null
 * @param active likewise
 */
export const requestedMembership = (user: string, named: string, active: string, proven: ProvenSession) =>
  `requested_membership_of(${user}, ${named}, ${active}, ${argumentsOf(proven)})`;

const argumentsOf = ({ at, startedAt, hasSecondFactor, methods }: ProvenSession) =>
  `${at}, ${startedAt}, ${hasSecondFactor}, ${methods}`;

/**
 * The membership of a user in one tenant that has no sign-in policy, as a join, which takes a third
 * of the functions' time. The statement must have opened the scope (`OPEN_SCOPE`); otherwise
 * nothing is found, because a policy of the tenant might be hidden.
 */
export const joinedMembership = (user: string, tenant: string) => `(
  SELECT m.tenant_id, r.name AS role, r.is_built_in, r.permissions
    FROM memberships m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
   WHERE app_across_tenants() AND m.user_id = ${user} AND m.tenant_id = ${tenant}
     AND NOT EXISTS (SELECT FROM deleted_tenants d WHERE d.id = m.tenant_id)
     AND NOT EXISTS (SELECT FROM sign_in_policies p WHERE p.tenant_id = m.tenant_id))`;

/**
 * Derives the tenant, role and permissions of a token. A user without a membership has no
 * permissions.
 */
export function membershipClaims({ tenantId, role, isBuiltIn, permissions }: MembershipRow): MembershipClaims {
  if (!tenantId) return { role: '', permissions: [] };
  return { tenant_id: tenantId, role, permissions: permissionsOf({ name: role, isBuiltIn, permissions }) };
}
