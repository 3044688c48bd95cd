import { MAX_JOB_ATTEMPTS } from '../../platform/jobs/job-retry';
import { activeMembership, MEMBERSHIP_COLUMNS } from '../../tenants/tenants.api';

/** Statements that decide races. SessionRepository documents what each one guarantees. */

/**
 * The tenant that the user $1 had active last, among the newest ten sessions to bound the search.
 */
const LAST_ACTIVE_TENANT = `(
      SELECT active_tenant_id FROM (SELECT * FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 10) newest
       ORDER BY last_used_at DESC LIMIT 1)`;

/** The user $1 with the membership in the tenant $2, or without $2 in the tenant active last. */
export const LOCK_IMPERSONATION_TARGET = `
  SELECT u.id, u.email, u.name, u.is_email_verified AS "isEmailVerified", u.is_admin AS "isAdmin",
    u.picture_url AS "pictureUrl",
         u.created_at AS "createdAt", u.disabled_at AS "disabledAt", ${MEMBERSHIP_COLUMNS}
    FROM users u LEFT JOIN LATERAL ${activeMembership('u.id', `coalesce($2::uuid, ${LAST_ACTIVE_TENANT})`)} m ON true
   WHERE u.id = $1 FOR SHARE OF u`;

/**
 * FOR SHARE waits for a concurrent change of the account and reads the row again: after a change of
 * the password hash it finds no row. The active tenant is $10, or that of the session that was used
 * last. The audit entry and the job $15 (storedJob) are written by the same statement, so that
 * signing in takes one round trip.
 */
export const OPEN_SESSION = `
  WITH account AS (
    SELECT id FROM users
     WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2 AND is_email_verified AND disabled_at IS NULL
       FOR SHARE
  ), preference AS (
    SELECT coalesce($10::uuid, ${LAST_ACTIVE_TENANT}) AS tenant_id
  ), membership AS (
    SELECT m.* FROM account, preference, LATERAL ${activeMembership('account.id', 'preference.tenant_id')} m
  ), session AS (
    INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, ip, user_agent,
                          is_proven, active_tenant_id)
    SELECT $3, id, $4, $4, $5, $6, $7, $14, (SELECT tenant_id FROM membership) FROM account
    RETURNING id, active_tenant_id
  ), audited AS (
    INSERT INTO audit_log (id, at, action, actor_id, tenant_id, target_type, target_id, ip, request_id, data)
    SELECT $11, $4, 'user.signed-in', $1, active_tenant_id, 'session', id::text, $6, $12, $13::jsonb FROM session
  ), token AS (
    INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
    SELECT $8, id, $9, $5 FROM session
    RETURNING id
  ), job AS (
    SELECT graphile_worker.add_job($15::jsonb->>'task', payload => ($15::jsonb->'payload')::json,
                                   max_attempts => ${MAX_JOB_ATTEMPTS})
      FROM session WHERE $15 IS NOT NULL
  )
  SELECT ${MEMBERSHIP_COLUMNS} FROM token LEFT JOIN membership ON true LEFT JOIN job ON true`;

/**
 * `session` locks the session's row, so that simultaneous rotations queue up. `spent` then
 * decides, because a waiting UPDATE reads the token's row again when it gets the lock. A new token
 * is inserted only if the old one was live. A session ends $8 seconds after it started, and its
 * tokens expire at that time at the latest.
 */
export const ROTATE_TOKEN = `
  WITH session AS (
    UPDATE sessions s SET last_used_at = $2, expires_at = least($3, s.created_at + make_interval(secs => $8)),
           ip = $4, user_agent = $5
      FROM refresh_tokens t, users u
     WHERE t.token_hash = $1 AND NOT t.is_revoked AND t.expires_at > $2
       AND s.id = t.session_id AND s.revoked_at IS NULL AND s.created_at + make_interval(secs => $8) > $2
      
       AND u.id = s.user_id AND u.disabled_at IS NULL
    RETURNING s.id, s.expires_at, s.active_tenant_id, s.is_proven, u.id AS user_id, u.email, u.name,
              u.is_email_verified, u.is_admin
  ), spent AS (
    UPDATE refresh_tokens t SET is_revoked = true FROM session
     WHERE t.token_hash = $1 AND NOT t.is_revoked
    RETURNING t.session_id, session.expires_at
  ), token AS (
    INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
    SELECT $6, session_id, $7, expires_at FROM spent
    RETURNING id
  )
  SELECT session.user_id AS id, session.email, session.name, session.is_email_verified AS "isEmailVerified",
         session.is_admin AS "isAdmin", session.is_proven AS "isProven", ${MEMBERSHIP_COLUMNS}
    FROM session CROSS JOIN token
    LEFT JOIN LATERAL ${activeMembership('session.user_id', 'session.active_tenant_id')} m ON true`;

/**
 * Makes $2 the active tenant of the live session that the access token with the jti $1 was issued
 * in, and adds the access token with the jti $6 to it, which expires at $7.
 */
export const SWITCH_TENANT = `
  WITH session AS (
    UPDATE sessions s SET active_tenant_id = $2, last_used_at = $3, ip = $4, user_agent = $5
      FROM refresh_tokens t, users u
     WHERE t.id = $1 AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > $3
       AND u.id = s.user_id AND u.disabled_at IS NULL
    RETURNING s.id AS session_id, u.id, u.email, u.name, u.is_email_verified, u.is_admin, s.is_proven
  ), token AS (
    INSERT INTO refresh_tokens (id, session_id, expires_at) SELECT $6, session_id, $7 FROM session
  )
  SELECT id, email, name, is_email_verified AS "isEmailVerified", is_admin AS "isAdmin", is_proven AS "isProven"
    FROM session`;

export const FIND_ROTATION_FAILURE = `
  SELECT t.is_revoked OR s.revoked_at IS NOT NULL AS "isRevoked", u.disabled_at IS NOT NULL AS "isDisabled"
    FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
   WHERE t.token_hash = $1`;

/**
 * Adds the access token with the jti $2, which expires at $3, to the live session of the access
 * token with the jti $1.
 */
export const INSERT_ACCESS_TOKEN = `
  WITH session AS (
    SELECT s.id FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
     WHERE t.id = $1 AND s.revoked_at IS NULL FOR SHARE OF s
  )
  INSERT INTO refresh_tokens (id, session_id, expires_at) SELECT $2, id, $3 FROM session RETURNING id`;
