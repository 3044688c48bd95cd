import { activeMembership, MEMBERSHIP_COLUMNS } from '../../tenants/tenants.api';

/** The statements that must win once; what each relies on is said at the method that uses it. */

/**
 * The tenant that the person $1 had active last, among the newest ten sessions, which is bound
 * enough.
 */
const LAST_ACTIVE_TENANT = `(
      SELECT active_tenant_id FROM (SELECT * FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 10) newest
       ORDER BY last_used_at DESC LIMIT 1)`;

/**
 * The person $1, and what they may do: in the tenant $2 where it is given, else where they were
 * last.
 */
export const FIND_HOLDER = `
  SELECT u.id, u.email, u.name, u.is_email_verified AS "isEmailVerified", u.is_admin AS "isAdmin",
    u.picture_url AS "pictureUrl",
         u.created_at AS "createdAt", u.disabled_at AS "disabledAt", ${MEMBERSHIP_COLUMNS}
    FROM users u LEFT JOIN LATERAL ${activeMembership('u.id', `coalesce($2::uuid, ${LAST_ACTIVE_TENANT})`)} m ON true
   WHERE u.id = $1 FOR SHARE OF u`;

/**
 * FOR SHARE waits for a change of the account that is under way and looks at it again: a new
 * password hash then finds no row. The active tenant is $10 where it is given, else that of the
 * session that was used last. The sign-in is written into the audit log in the same breath, so that
 * signing in stays one round trip; so is the job $15 (storedJob) that tells the person of it, where
 * there is one.
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
    INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, ip, user_agent, is_proven, active_tenant_id)
    SELECT $3, id, $4, $4, $5, $6, $7, $14, (SELECT tenant_id FROM membership) FROM account
    RETURNING id, active_tenant_id
  ), audited AS (
    INSERT INTO audit_log (id, at, action, actor_id, tenant_id, target_type, target_id, ip, request_id, data)
    SELECT $11, $4, 'user.signed-in', $1, active_tenant_id, 'session', id::text, $6, $12, $13::jsonb FROM session
  ), minted AS (
    INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
    SELECT $8, id, $9, $5 FROM session
    RETURNING id
  ), told AS (
    SELECT graphile_worker.add_job($15::jsonb->>'task', payload => ($15::jsonb->'payload')::json) FROM session WHERE $15 IS NOT NULL
  )
  SELECT ${MEMBERSHIP_COLUMNS} FROM minted LEFT JOIN membership ON true LEFT JOIN told ON true`;

/**
 * `session` locks the session's row, so that simultaneous rotations queue here; `spent` then
 * decides, because a waiting UPDATE looks at the token's row again once it is its turn. Only where
 * it found a live token is a new one minted. What the holder may do now is read along. A session
 * ends for good $8 seconds after it began, and its tokens expire then at the latest.
 */
export const ROTATE_TOKEN = `
  WITH session AS (
    UPDATE sessions s SET last_used_at = $2, expires_at = least($3, s.created_at + make_interval(secs => $8)), ip = $4, user_agent = $5
      FROM refresh_tokens t, users u
     WHERE t.token_hash = $1 AND NOT t.is_revoked AND t.expires_at > $2
       AND s.id = t.session_id AND s.revoked_at IS NULL AND s.created_at + make_interval(secs => $8) > $2
       AND u.id = s.user_id AND u.disabled_at IS NULL
    RETURNING s.id, s.expires_at, s.active_tenant_id, s.is_proven, u.id AS user_id, u.email, u.name, u.is_email_verified, u.is_admin
  ), spent AS (
    UPDATE refresh_tokens t SET is_revoked = true FROM session
     WHERE t.token_hash = $1 AND NOT t.is_revoked
    RETURNING t.session_id, session.expires_at
  ), minted AS (
    INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
    SELECT $6, session_id, $7, expires_at FROM spent
    RETURNING id
  )
  SELECT session.user_id AS id, session.email, session.name, session.is_email_verified AS "isEmailVerified",
         session.is_admin AS "isAdmin", session.is_proven AS "isProven", ${MEMBERSHIP_COLUMNS}
    FROM session CROSS JOIN minted LEFT JOIN LATERAL ${activeMembership('session.user_id', 'session.active_tenant_id')} m ON true`;

/**
 * Makes the tenant $2 the active one of the session that the access token with the jti $1 was
 * minted in, if that session lives. The next access token, with the jti $6 and until $7, belongs to
 * the same session; the session's refresh token stays as it is.
 */
export const SWITCH_TENANT = `
  WITH session AS (
    UPDATE sessions s SET active_tenant_id = $2, last_used_at = $3, ip = $4, user_agent = $5
      FROM refresh_tokens t, users u
     WHERE t.id = $1 AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > $3 AND u.id = s.user_id AND u.disabled_at IS NULL
    RETURNING s.id AS session_id, u.id, u.email, u.name, u.is_email_verified, u.is_admin, s.is_proven
  ), minted AS (
    INSERT INTO refresh_tokens (id, session_id, expires_at) SELECT $6, session_id, $7 FROM session
  )
  SELECT id, email, name, is_email_verified AS "isEmailVerified", is_admin AS "isAdmin", is_proven AS "isProven"
    FROM session`;

/**
 * Whether the session that the access token with the jti $1 was minted in began by proof of the
 * mailbox.
 */
export const IS_PROVEN = `
  SELECT s.is_proven AS "isProven" FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.id = $1`;

export const WHY_NOT_ROTATED = `
  SELECT s.id AS "sessionId", s.user_id AS "userId", t.is_revoked OR s.revoked_at IS NOT NULL AS "isRevoked", u.disabled_at IS NOT NULL AS "isDisabled"
    FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
   WHERE t.token_hash = $1`;

/**
 * Ends the live sessions for which `condition` holds ($1 is the time), in the order of their ids,
 * so that two who end the same sessions do not wait for each other in a circle. The tenant is told
 * of it (`tenantId`) while its person is still in it: afterwards it is none of its business.
 */
export const revokeSessionsWhere = (condition: string) => `
  WITH chosen AS (
    SELECT s.id FROM sessions s WHERE ${condition} AND s.revoked_at IS NULL ORDER BY s.id FOR UPDATE
  )
  UPDATE sessions s SET revoked_at = $1 FROM chosen WHERE s.id = chosen.id
  RETURNING s.id, s.user_id AS "userId",
            (SELECT m.tenant_id FROM membership_of(s.user_id, s.active_tenant_id, false) m) AS "tenantId"`;

/**
 * A statement of its own: it also sees a token that a rotation minted while the sessions were being
 * locked.
 * @returns the jti of each access token of them that may still live, those made after the id $2;
 * one more than $3 at most
 */
export const REVOKE_TOKENS = `
  WITH revoked AS (
    UPDATE refresh_tokens SET is_revoked = true WHERE session_id = ANY($1::uuid[]) AND NOT is_revoked
  )
  SELECT id FROM refresh_tokens WHERE session_id = ANY($1::uuid[]) AND id >= $2 LIMIT $3 + 1`;

/** Whether the session of the access token with the jti $1 lives; $2 is the time. */
export const SESSION_LIVES = `
  SELECT FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2`;

/**
 * The access token with the jti $2, until $3, belongs to the session of that with the jti $1, if it
 * lives and as long as it does.
 */
export const MINT_ACCESS = `
  WITH session AS (
    SELECT s.id FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.id = $1 AND s.revoked_at IS NULL FOR SHARE OF s
  )
  INSERT INTO refresh_tokens (id, session_id, expires_at) SELECT $2, id, $3 FROM session RETURNING id`;
