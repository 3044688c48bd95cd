import { CLOSE_SCOPE, OPEN_SCOPE } from '../../platform/database/set-tenant-scope';
import {
  joinedMembership,
  MEMBERSHIP_COLUMNS,
  requestedMembership,
  type MembershipRow,
  type ProvenSession,
} from '../../tenants/tenants.api';
import { SUBJECT, SUBJECT_OF_SESSION, type TokenSubject } from './token-subject';

/** Statements that exchange refresh tokens. SessionRepository documents what each guarantees. */

/** Whether a refresh token `t` has the secret with this hash. Earlier versions hashed the token. */
export const HAS_SECRET = (hash: string) => `coalesce(t.secret_hash, t.token_hash) = ${hash}`;
/** Whether a refresh token `t` of the session `s` can be exchanged, if neither has ended. */
const IS_CURRENT = 'coalesce(s.current_token_id, t.id) = t.id AND NOT t.is_revoked';

/** What a sub-select `session` has proven. @param at the current time */
const proven = (at: string): ProvenSession => ({
  at,
  startedAt: 'session.created_at',
  hasSecondFactor: 'session.second_factor_at IS NOT NULL',
  methods: 'session.methods',
});
/** The columns of a session `s` for it. */
const PROVEN = 's.active_tenant_id, s.created_at, s.second_factor_at, s.methods';

/** The membership of a sub-select `session`, by the function. @param named a tenant, or null */
const requested = (named: string, at: string) =>
  requestedMembership('session.id', named, 'session.active_tenant_id', proven(at));

/** The user and the membership of an access token. */
export type SubjectMembership = TokenSubject & MembershipRow;

/** A row of it: `requested` replaces the membership if it is not null. */
export type SubjectRow = SubjectMembership & { readonly requested: MembershipRow | null };

/**
 * Exchanges the token $1 whose secret has the hash $10. Simultaneous rotations wait for the
 * session's row. A waiting UPDATE reads it again when it gets the lock, and finds another current
 * token. A session ends $8 seconds after it started, and its tokens expire at that time at the
 * latest. The membership is that in the tenant $9, if there is one, else that in the active tenant,
 * which stays. Of most sessions the join finds it; the function takes three times as long, so it is
 * called for the others only.
 */
const rotateToken = (spent: string, source: string) => `
  WITH session AS (
    UPDATE sessions s SET last_used_at = $2, expires_at = least($3, s.created_at + make_interval(secs => $8)),
           ip = $4, user_agent = $5, current_token_id = $6
      FROM refresh_tokens t, users u
     WHERE t.id = $1 AND ${HAS_SECRET('$10')} AND t.expires_at > $2 AND ${IS_CURRENT}
       AND s.id = t.session_id AND s.revoked_at IS NULL AND s.created_at + make_interval(secs => $8) > $2
       AND u.id = s.user_id AND u.disabled_at IS NULL
    RETURNING s.id AS session_id, s.expires_at, ${PROVEN}, ${SUBJECT}, ${OPEN_SCOPE}
  )${spent}, token AS (
    INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at)
    SELECT $6, session_id, $7, expires_at FROM ${source}
    RETURNING id
  )
  SELECT ${SUBJECT_OF_SESSION}, ${MEMBERSHIP_COLUMNS},
         CASE WHEN tenant_id IS NULL THEN ${requested('$9', '$2')} END AS requested, ${CLOSE_SCOPE} AS scope
    FROM session CROSS JOIN token
    LEFT JOIN LATERAL ${joinedMembership('session.id', 'coalesce($9, session.active_tenant_id)')} m ON true`;

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
export type Successor = SubjectMembership & { readonly tokenId: string };

/** A row of it. */
export type SuccessorRow = TokenSubject & { readonly tokenId: string; readonly requested: MembershipRow };

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
  SELECT "tokenId", ${SUBJECT_OF_SESSION}, ${requested('$5', '$4')} AS requested FROM session`;

/** Why the token $1 whose secret has the hash $2 cannot be exchanged. */
export const FIND_REFUSED = `
  SELECT NOT (${IS_CURRENT}) OR s.revoked_at IS NOT NULL AS "isRevoked", u.disabled_at IS NOT NULL AS "isDisabled"
    FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
   WHERE t.id = $1 AND ${HAS_SECRET('$2')}`;
