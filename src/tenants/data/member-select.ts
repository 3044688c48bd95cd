import type { Permission } from '../../platform/permissions';
import { columns, select } from '../../platform/database/select-list';
import { User } from '../../users/users.api';
import { Membership } from '../domain/membership';

/** A member as other members of the tenant see them. */
export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly pictureUrl: string | null;
  readonly roleId: string;
  /** The name of the role. */
  readonly role: string;
  readonly joinedAt: Date;
  /** Whether the account has a second factor; null if the caller may not know. */
  readonly hasSecondFactor: boolean | null;
}

/** A member with the id that orders the list. */
export type MemberRow = Member & { readonly id: string };

/** Whether an actor may see which members have a second factor. */
export const showsSecondFactors = ({ permissions }: { readonly permissions: readonly string[] }): boolean =>
  permissions.includes('tenant.security.manage' satisfies Permission);

/**
 * Removes the id by which the list is ordered.
 * @param showsFactor whether the caller may know who has a second factor
 */
export const memberOf = ({ id: _id, hasSecondFactor, ...member }: MemberRow, showsFactor: boolean): Member => ({
  ...member,
  hasSecondFactor: showsFactor ? hasSecondFactor : null,
});

const MEMBER = select<MemberRow>()({
  ...columns(Membership, 'm', ['id', 'userId', 'roleId', 'joinedAt']),
  ...columns(User, 'u', ['email', 'name', 'pictureUrl', 'hasSecondFactor']),
  role: 'r.name',
});

/**
 * Selects a page of MemberRows of the tenant $1 in the order of their ids: at most $3 after the id
 * $2. The page is selected before any join: a plan for a tenant of average size would read all
 * members of a large one. The roles are read once, not for each member.
 */
export const MEMBERS_PAGE = `
  WITH page AS MATERIALIZED (
    SELECT * FROM memberships WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3
  ), r AS MATERIALIZED (
    SELECT id, name FROM roles WHERE tenant_id = $1 AND id IN (SELECT role_id FROM page)
  )
  SELECT ${MEMBER}
    FROM page m
    JOIN users u ON u.id = m.user_id
    JOIN r ON r.id = m.role_id
   ORDER BY m.id`;
