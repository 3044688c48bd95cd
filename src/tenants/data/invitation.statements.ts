import { insertOf } from '../../platform/database/insert-statement';
import { columnsOf } from '../../platform/database/select-list';
import { Invitation } from '../domain/invitation';
import { Role } from '../domain/role';

/**
 * Runs as a separate statement after the insert, which may have waited for a transaction in which
 * the same user joined.
 */
export const FIND_RECIPIENTS = `
  SELECT t.name AS "tenantName", u.id AS "invitedUserId",
         (SELECT o.user_id FROM memberships o WHERE o.tenant_id = $1 AND o.is_owner) AS "ownerId",
         EXISTS (SELECT FROM memberships m WHERE m.tenant_id = $1 AND m.user_id = u.id) AS "isMember"
    FROM tenants t LEFT JOIN users u ON u.email = $2
   WHERE t.id = $1`;

export const LOCK_ROLE = `
  SELECT ${columnsOf(Role, 'r')}
    FROM invitations i JOIN roles r ON r.tenant_id = i.tenant_id AND r.id = i.role_id
   WHERE i.tenant_id = $1 AND i.id = $2
     FOR SHARE OF r`;

export const NEW_INVITATION = insertOf(Invitation, { first: 2 });

/** $1 is the current time. */
export const INSERT_OR_REPLACE_EXPIRED = `
  INSERT INTO ${NEW_INVITATION.into} VALUES (${NEW_INVITATION.values})
  ON CONFLICT (tenant_id, email) DO UPDATE
    SET id = excluded.id, role_id = excluded.role_id, invited_by = excluded.invited_by, token_hash = NULL,
        created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE invitations.expires_at <= $1
  RETURNING id`;

export const ISSUE_TOKEN = `
  UPDATE invitations i SET token_hash = $3
    FROM tenants t, roles r
   WHERE i.tenant_id = $1 AND i.id = $2 AND i.expires_at > $4 AND t.id = i.tenant_id AND r.tenant_id = i.tenant_id
     AND r.id = i.role_id
  RETURNING i.email, t.name AS "tenantName", r.name AS role,
            (SELECT u.name FROM users u WHERE u.id = i.invited_by) AS inviter,
            (SELECT u.name FROM users u WHERE u.email = i.email) AS recipient`;

/**
 * An account that is not verified has never signed in: verification signs in, and sign-in requires
 * it.
 */
export const FIND_ADDRESSEE = `
  SELECT i.email AS address, NOT EXISTS (SELECT FROM users u WHERE u.email = i.email
    AND u.is_email_verified) AS "isNew",
         i.invited_by AS "invitedBy"
    FROM invitations i WHERE i.tenant_id = $1 AND i.id = $2 AND i.expires_at > $3`;

const storedRole = (role: string) =>
  `json_build_object('name', ${role}.name, 'isBuiltIn', ${role}.is_built_in, 'permissions', ${role}.permissions)`;

/**
 * Selects the role offered and the current role of the sender; null if the sender is disabled or
 * no longer a member.
 */
export const FIND_BY_TOKEN = `
  SELECT i.id, i.tenant_id AS "tenantId", i.email, i.invited_by AS "invitedBy", i.expires_at AS "expiresAt",
    t.name AS "tenantName",
         t.created_at AS "tenantCreatedAt",
         r.name AS role, EXISTS (SELECT FROM users u WHERE u.email = i.email
           AND u.is_email_verified) AS "accountExists",
         (SELECT u.name FROM users u WHERE u.id = i.invited_by) AS "inviterName",
         ${storedRole('r')} AS offered,
         (SELECT ${storedRole('s')}
            FROM memberships m JOIN roles s ON s.tenant_id = m.tenant_id AND s.id = m.role_id
              JOIN users u ON u.id = m.user_id
           WHERE m.tenant_id = i.tenant_id AND m.user_id = i.invited_by AND u.disabled_at IS NULL) AS "senderRole"
    FROM invitations i JOIN tenants t ON t.id = i.tenant_id JOIN roles r ON r.tenant_id = i.tenant_id
      AND r.id = i.role_id
   WHERE i.token_hash = $1`;

export const FIND_ROLES_OFFERED_BY = `
  SELECT id, name, is_built_in AS "isBuiltIn", permissions FROM roles
   WHERE tenant_id = $1 AND id IN (SELECT role_id FROM invitations WHERE tenant_id = $1 AND invited_by = $2)`;
