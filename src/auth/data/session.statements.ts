import { insertOf } from '../../platform/database/insert-statement';
import { columnsOf } from '../../platform/database/select-list';
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
import { SUBJECT, SUBJECT_OF_SESSION, type TokenSubject } from './token-subject';

export const TARGET_FIELDS = [...PROFILE_FIELDS, 'disabledAt'] as const;

/** Statements that decide races. SessionRepository documents what each one guarantees. */

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
