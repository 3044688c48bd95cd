import type { Permission } from '../../platform/permissions';
import { columns, isoTime, selectJson } from '../../platform/database/select-list';
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

const MEMBER = selectJson<Member>()({
  ...columns(Membership, 'm', ['userId', 'roleId']),
  ...columns(User, 'u', ['email', 'name', 'pictureUrl']),
  role: 'r.names ->> m.role_id::text',
  joinedAt: isoTime('m.joined_at'),
  hasSecondFactor: 'CASE WHEN $4 THEN u.has_second_factor END',
});

/** Whether an actor may see which members have a second factor. */
export const showsSecondFactors = ({ permissions }: { readonly permissions: readonly string[] }): boolean =>
  permissions.includes('tenant.security.manage' satisfies Permission);

/**
 * Selects a page of Members of the tenant $1 in the order of their ids, as a JsonPageRow: at
 * most $3 after the id $2. $4 is whether the caller may know who has a second factor. The page is
 * selected before any join: a plan for a tenant of average size would read all members of a large
 * one. The names of the roles are read once, not for each member.
 */
export const MEMBERS_PAGE = `
  WITH page AS MATERIALIZED (
    SELECT * FROM memberships WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3 + 1
  ), m AS MATERIALIZED (
    SELECT * FROM page ORDER BY id LIMIT $3
  ), r AS MATERIALIZED (
    SELECT jsonb_object_agg(id, name) AS names FROM roles WHERE tenant_id = $1 AND id IN (SELECT role_id FROM m)
  )
  SELECT string_agg(${MEMBER}, ',' ORDER BY m.id) AS items,
         CASE WHEN (SELECT count(*) FROM page) > $3 THEN (SELECT id FROM m ORDER BY id DESC LIMIT 1) END AS "lastId"
    FROM m
    JOIN users u ON u.id = m.user_id
    CROSS JOIN r`;
