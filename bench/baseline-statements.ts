import { AuditEntry } from '../src/audit/domain/audit-entry';
import { RefreshToken, Session } from '../src/auth/domain/session';
import { MAX_JOB_ATTEMPTS } from '../src/platform/jobs/job-retry';
import { insertOf } from '../src/platform/database/insert-statement';
import { columns, columnsOf, select } from '../src/platform/database/select-list';
import { Membership } from '../src/tenants/domain/membership';
import type { MemberView } from '../src/tenants/tenants.api';
import { PROFILE_FIELDS, User } from '../src/users/domain/user';

/**
 * The simplest statements that give the answers of the service. The baseline connects as a
 * superuser, to which row-level security does not apply, so that a membership is a join by key.
 */

const PROFILE = (alias: string) => columnsOf(User, alias, { only: PROFILE_FIELDS });

/** The profile of the user $1, the day of a planned deletion, and the name of the tenant $2. */
export const ME = `
  SELECT ${PROFILE('u')}, u.deletes_at AS "deletesAt", t.name AS "tenantName"
    FROM users u
    LEFT JOIN memberships m ON m.user_id = u.id AND m.tenant_id = $2
    LEFT JOIN tenants t ON t.id = m.tenant_id
   WHERE u.id = $1`;

/** Renames the user $1 to $2. */
export const RENAME = `UPDATE users u SET name = $2 WHERE id = $1 RETURNING ${PROFILE('u')}`;

/** A member with the id that orders the list. */
export type MemberRow = MemberView & { readonly id: string };

const MEMBER = select<MemberRow>()({
  ...columns(Membership, 'm', ['id', 'userId', 'roleId', 'joinedAt']),
  ...columns(User, 'u', ['email', 'name', 'pictureUrl', 'hasSecondFactor']),
  role: 'r.name',
});

/** At most $3 members of the tenant $1 in the order of joining, after the membership $2. */
export const MEMBERS = `
  SELECT ${MEMBER}
    FROM memberships m
    JOIN users u ON u.id = m.user_id
    JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
   WHERE m.tenant_id = $1 AND m.id > $2 ORDER BY m.id LIMIT $3`;

export const ACCOUNT = 'SELECT id, email, name, password_hash AS "passwordHash" FROM users WHERE email = $1';

/** The membership that an access token carries, of a user in `s`. */
const MEMBERSHIP = 'm.tenant_id AS "tenantId", r.name AS role, r.is_built_in AS "isBuiltIn", r.permissions';
const JOIN_MEMBERSHIP = `
    LEFT JOIN memberships m ON m.user_id = s.user_id AND m.tenant_id = s.active_tenant_id
    LEFT JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id`;

export const NEW_SESSION = insertOf(Session, { first: 3, except: ['userId', 'activeTenantId'] });
export const FIRST_TOKEN = insertOf(RefreshToken, {
  first: NEW_SESSION.next,
  except: ['sessionId', 'tokenHash', 'isRevoked'],
});
export const AUDIT_ENTRY = insertOf(AuditEntry, { first: FIRST_TOKEN.next, except: ['tenantId'] });

/** Opens a session of the user $1 in the tenant of the last one, and enqueues the email $2. */
export const OPEN_SESSION = `
  WITH last AS (
    SELECT active_tenant_id FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 1
  ), s AS (
    INSERT INTO sessions (${NEW_SESSION.columns}, user_id, active_tenant_id)
    VALUES (${NEW_SESSION.values}, $1, (SELECT active_tenant_id FROM last))
    RETURNING id, user_id, active_tenant_id
  ), token AS (
    INSERT INTO refresh_tokens (${FIRST_TOKEN.columns}, session_id) SELECT ${FIRST_TOKEN.values}, id FROM s
  ), audited AS (
    INSERT INTO audit_log (${AUDIT_ENTRY.columns}, tenant_id) SELECT ${AUDIT_ENTRY.values}, active_tenant_id FROM s
  ), job AS (
    SELECT graphile_worker.add_job('send-security-mail', payload => $2::json, max_attempts => ${MAX_JOB_ATTEMPTS})
  )
  SELECT ${MEMBERSHIP} FROM s CROSS JOIN job ${JOIN_MEMBERSHIP}`;

/**
 * Replaces the refresh token $1 whose secret has the hash $8 by the token $6 with the hash $7. $2
 * is the time, $3 the end of the session, $4 the address and $5 the device.
 */
export const ROTATE_TOKEN = `
  WITH s AS (
    UPDATE sessions s SET last_used_at = $2, expires_at = $3, ip = $4, user_agent = $5, current_token_id = $6
      FROM refresh_tokens t, users u
     WHERE t.id = $1 AND t.secret_hash = $8 AND t.expires_at > $2
       AND s.id = t.session_id AND s.current_token_id = t.id AND s.revoked_at IS NULL
       AND u.id = s.user_id AND u.disabled_at IS NULL
    RETURNING s.id AS session_id, s.user_id, s.active_tenant_id, u.email, u.name AS user_name
  ), token AS (
    INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at) SELECT $6, session_id, $7, $3 FROM s
    RETURNING id
  )
  SELECT s.user_id AS id, s.email, s.user_name AS name, ${MEMBERSHIP} FROM s CROSS JOIN token ${JOIN_MEMBERSHIP}`;
