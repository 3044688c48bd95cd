import { insertOf } from '../../platform/database/insert-statement';
import { columns, columnsOf, select } from '../../platform/database/select-list';
import { MAX_JOB_ATTEMPTS } from '../../platform/jobs/job-retry';
import { AuditEntry } from '../../audit/audit.api';
import {
  activeMembership,
  MEMBERSHIP_COLUMNS,
  sessionMembership,
  type MembershipRow,
  type ProvenSession,
} from '../../tenants/tenants.api';
import { PROFILE_FIELDS, User } from '../../users/users.api';
import type { PolicyObstacle } from '../domain/sign-in-policy';
import { LastSignIn } from '../domain/last-sign-in';
import { RefreshToken, Session } from '../domain/session';

const SUBJECT_FIELDS = ['id', 'email', 'name', 'isEmailVerified', 'isAdmin'] as const;
/** What the session has proven, on which admin access depends. */
const PROOF_FIELDS = ['isProven', 'secondFactorAt'] as const;

/** The user of an access token. Every rotation reads it again, so that claims are never stale. */
export type TokenSubject = Pick<User, (typeof SUBJECT_FIELDS)[number]> & Pick<Session, (typeof PROOF_FIELDS)[number]>;

/** Of a user `u` and a session `s`. */
const SUBJECT = select<TokenSubject>()({
  ...columns(User, 'u', SUBJECT_FIELDS),
  ...columns(Session, 's', PROOF_FIELDS),
});
/** Of a sub-select `session` that has them. */
const SUBJECT_OF_SESSION = [...SUBJECT_FIELDS, ...PROOF_FIELDS].map((field) => `session."${field}"`).join(', ');

export const TARGET_FIELDS = [...PROFILE_FIELDS, 'disabledAt'] as const;

/** Statements that decide races. SessionRepository documents what each one guarantees. */

/** Whether a refresh token `t` has the secret with this hash. Earlier versions hashed the token. */
export const HAS_SECRET = (hash: string) => `coalesce(t.secret_hash, t.token_hash) = ${hash}`;
/** Whether a refresh token `t` of the session `s` can be exchanged, if neither has ended. */
const IS_CURRENT = 'coalesce(s.current_token_id, t.id) = t.id AND NOT t.is_revoked';

/**
 * The tenant that the user $1 had active last, among the newest ten sessions to bound the search.
 */
const LAST_ACTIVE_TENANT = `(
      SELECT active_tenant_id FROM (SELECT * FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 10) newest
       ORDER BY last_used_at DESC LIMIT 1)`;

/** The user $1 with the membership in the tenant $2, or without $2 in the tenant active last. */
export const LOCK_IMPERSONATION_TARGET = `
  SELECT ${columnsOf(User, 'u', { only: TARGET_FIELDS })}, ${MEMBERSHIP_COLUMNS}
    FROM users u LEFT JOIN LATERAL ${activeMembership('u.id', `coalesce($2::uuid, ${LAST_ACTIVE_TENANT})`)} m ON true
   WHERE u.id = $1 FOR SHARE OF u`;

/** The columns of the rows that OPEN_SESSION takes as parameters. */
export const NEW_SESSION = insertOf(Session, { first: 9, except: ['userId', 'activeTenantId'] });
export const FIRST_TOKEN = insertOf(RefreshToken, {
  first: NEW_SESSION.next,
  except: ['sessionId', 'tokenHash', 'isRevoked'],
});
export const AUDIT_ENTRY = insertOf(AuditEntry, { first: FIRST_TOKEN.next, except: ['tenantId'] });
export const LAST_SIGN_IN = insertOf(LastSignIn, { first: AUDIT_ENTRY.next });

/** What a new session has proven: the time $6, a second factor $7, and the methods $8. */
const STARTED: ProvenSession = { at: '$6', startedAt: '$6', hasSecondFactor: '$7', methods: '$8' };

/**
 * FOR SHARE waits for a concurrent change of the account and reads the row again: after a change of
 * the password hash it finds no row, nor after a second factor was added, unless $5. $1 is the
 * user, $2 the password hash, $3 the active tenant, null for that of the session that was used
 * last. The audit entry, the last sign-in and the job $4 (storedJob) are written by the same
 * statement, so that signing in takes one round trip.
 */
export const OPEN_SESSION = `
  WITH account AS (
    SELECT id FROM users
     WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2 AND is_email_verified AND disabled_at IS NULL
       AND (NOT has_second_factor OR $5)
       FOR SHARE
  ), preference AS (
    SELECT coalesce($3::uuid, ${LAST_ACTIVE_TENANT}) AS tenant_id
  ), membership AS (
    SELECT m.* FROM account, preference, LATERAL ${sessionMembership('account.id', 'preference.tenant_id', STARTED)} m
  ), session AS (
    INSERT INTO sessions (${NEW_SESSION.columns}, user_id, active_tenant_id)
    SELECT ${NEW_SESSION.values}, account.id, CASE
             WHEN membership.tenant_id IS NOT DISTINCT FROM preference.tenant_id THEN preference.tenant_id
             ELSE coalesce((SELECT tenant_id FROM membership_of(account.id, preference.tenant_id, false)),
                           membership.tenant_id) END
      FROM account CROSS JOIN preference LEFT JOIN membership ON true
    RETURNING id
  ), last_sign_in AS (
    INSERT INTO ${LAST_SIGN_IN.into} SELECT ${LAST_SIGN_IN.values} FROM session
    ON CONFLICT (user_id) DO UPDATE SET at = excluded.at, method = excluded.method
  ), audited AS (
    INSERT INTO audit_log (${AUDIT_ENTRY.columns}, tenant_id)
    SELECT ${AUDIT_ENTRY.values}, membership.tenant_id FROM session LEFT JOIN membership ON true
  ), token AS (
    INSERT INTO refresh_tokens (${FIRST_TOKEN.columns}, session_id) SELECT ${FIRST_TOKEN.values}, id FROM session
    RETURNING id
  ), job AS (
    SELECT graphile_worker.add_job($4::jsonb->>'task', payload => ($4::jsonb->'payload')::json,
                                   max_attempts => ${MAX_JOB_ATTEMPTS})
      FROM session WHERE $4 IS NOT NULL
  )
  SELECT ${MEMBERSHIP_COLUMNS} FROM token LEFT JOIN membership ON true LEFT JOIN job ON true`;

/** What a sub-select `session` has proven. @param at the current time */
const proven = (at: string): ProvenSession => ({
  at,
  startedAt: 'session.created_at',
  hasSecondFactor: 'session.second_factor_at IS NOT NULL',
  methods: 'session.methods',
});
/** The columns of a session `s` for it. */
const PROVEN = 's.active_tenant_id, s.created_at, s.second_factor_at, s.methods';

/**
 * The membership of a sub-select `session` in the given tenant if there is one that its policy
 * allows, else in the active one, else the oldest.
 */
const requestedMembership = (given: string, at: string) => {
  const allowed = sessionMembership('session.id', given, proven(at), false);
  const tenant = `CASE WHEN ${given}::uuid <> session.active_tenant_id
      THEN coalesce((SELECT tenant_id FROM ${allowed} a), session.active_tenant_id)
      ELSE coalesce(session.active_tenant_id, ${given}) END`;
  return sessionMembership('session.id', tenant, proven(at));
};

/**
 * Exchanges the token $1 whose secret has the hash $10. Simultaneous rotations wait for the
 * session's row. A waiting UPDATE reads it again when it gets the lock, and finds another current
 * token. A session ends $8 seconds after it started, and its tokens expire at that time at the
 * latest. The membership is that in the tenant $9, if there is one, else that in the active tenant,
 * which stays.
 */
const rotateToken = (spent: string, source: string) => `
  WITH session AS (
    UPDATE sessions s SET last_used_at = $2, expires_at = least($3, s.created_at + make_interval(secs => $8)),
           ip = $4, user_agent = $5, current_token_id = $6
      FROM refresh_tokens t, users u
     WHERE t.id = $1 AND ${HAS_SECRET('$10')} AND t.expires_at > $2 AND ${IS_CURRENT}
       AND s.id = t.session_id AND s.revoked_at IS NULL AND s.created_at + make_interval(secs => $8) > $2
       AND u.id = s.user_id AND u.disabled_at IS NULL
    RETURNING s.id AS session_id, s.expires_at, ${PROVEN}, ${SUBJECT}
  )${spent}, token AS (
    INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at)
    SELECT $6, session_id, $7, expires_at FROM ${source}
    RETURNING id
  )
  SELECT ${SUBJECT_OF_SESSION}, ${MEMBERSHIP_COLUMNS}
    FROM session CROSS JOIN token
    LEFT JOIN LATERAL ${requestedMembership('$9', '$2')} m ON true`;

export const ROTATE_TOKEN = rotateToken('', 'session');

/** The same for a token of an earlier version, whose instances see only that it is marked. */
export const ROTATE_EARLIER_TOKEN = rotateToken(
  `, spent AS (
    UPDATE refresh_tokens t SET is_revoked = true FROM session WHERE t.id = $1 AND NOT t.is_revoked
    RETURNING t.session_id, session.expires_at
  )`,
  'spent',
);

/** A successor that has not been used, with what a rotation returns. */
export type Successor = TokenSubject & MembershipRow & { readonly tokenId: string };

/**
 * The current token of the session in which the token $1 was issued, provided that the current one
 * has a secret with the hash $2 and its id is not before $3, at the time $4. The hash proves that
 * the client has the token $1 too, because the secret is computed from it. The membership is that
 * in the tenant $5, or else in the active one.
 */
export const FIND_SUCCESSOR = `
  WITH session AS (
    SELECT t.id AS "tokenId", ${PROVEN}, ${SUBJECT}
      FROM refresh_tokens spent JOIN sessions s ON s.id = spent.session_id
      JOIN refresh_tokens t ON t.id = s.current_token_id JOIN users u ON u.id = s.user_id
     WHERE spent.id = $1 AND t.secret_hash = $2 AND t.id >= $3 AND t.expires_at > $4
       AND s.revoked_at IS NULL AND u.disabled_at IS NULL
  )
  SELECT "tokenId", ${SUBJECT_OF_SESSION}, ${MEMBERSHIP_COLUMNS}
    FROM session LEFT JOIN LATERAL ${requestedMembership('$5', '$4')} m ON true`;

/** Why the token $1 whose secret has the hash $2 cannot be exchanged. */
export const FIND_REFUSED = `
  SELECT NOT (${IS_CURRENT}) OR s.revoked_at IS NOT NULL AS "isRevoked", u.disabled_at IS NOT NULL AS "isDisabled"
    FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
   WHERE t.id = $1 AND ${HAS_SECRET('$2')}`;

/**
 * A switch to a tenant. The fields of the user are null if the session has ended, or the policy of
 * the tenant keeps it out.
 */
export type TenantSwitch = MembershipRow & { readonly [K in keyof TokenSubject]: TokenSubject[K] | null } & {
  readonly obstacle: PolicyObstacle | null;
};

/**
 * Makes $2 the active tenant of the live session that the access token with the jti $1 was issued
 * in, and adds the access token with the jti $6 to it, which expires at $7. No row unless the user
 * $8 is a member.
 */
export const SWITCH_TENANT = `
  WITH membership AS (
    SELECT m.*, sign_in_obstacle($1, $2, $3) AS obstacle FROM membership_of($8, $2, false) m
  ), session AS (
    UPDATE sessions s SET active_tenant_id = membership.tenant_id, last_used_at = $3, ip = $4, user_agent = $5
      FROM membership, refresh_tokens t, users u
     WHERE t.id = $1 AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > $3
       AND u.id = s.user_id AND u.disabled_at IS NULL AND membership.obstacle IS NULL
    RETURNING s.id AS session_id, ${SUBJECT}
  ), token AS (
    INSERT INTO refresh_tokens (id, session_id, expires_at) SELECT $6, session_id, $7 FROM session
  )
  SELECT ${MEMBERSHIP_COLUMNS}, obstacle, ${SUBJECT_OF_SESSION} FROM membership LEFT JOIN session ON true`;
