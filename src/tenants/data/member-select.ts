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
}

/** A member with the id that orders the list. */
export type MemberRow = Member & { readonly id: string };

/** Removes the id by which the list is ordered. */
export const memberOf = ({ id: _id, ...member }: MemberRow): Member => member;

/**
 * Selects MemberRows.
 * @param memberships the source of the rows: the table, or a sub-select of the members needed
 */
export const selectMembers = (memberships: string) => `
  SELECT m.id, m.user_id AS "userId", u.email, u.name, u.picture_url AS "pictureUrl", m.role_id AS "roleId",
         r.name AS role, m.joined_at AS "joinedAt"
    FROM ${memberships} m
    JOIN users u ON u.id = m.user_id
    JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id`;
