import { CLOSE_SCOPE, OPEN_SCOPE } from '../../platform/database/set-tenant-scope';
import {
  joinedMembership,
  MEMBERSHIP_COLUMNS,
  requestedMembership,
  type MembershipRow,
  type ProvenSession,
} from '../../tenants/tenants.api';
import { SUBJECT, SUBJECT_OF_SESSION, type TokenSubject } from './token-subject';

/** Statements that exchange refresh tokens; RefreshTokenRepository documents their guarantees. */

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
export type SubjectRow = SubjectMembership & {
  /** The id of the new token. */
  readonly tokenId: string;
  readonly requested: MembershipRow | null;
};

/** What an exchange stores, as columns of the rows `r`. */
const EXCHANGE = {
  spent_id: 'uuid',
  spent_hash: 'bytea',
  token_id: 'uuid',
  secret_hash: 'bytea',
  expires_at: 'timestamptz',
  ip: 'text',
  user_agent: 'text',
  tenant_id: 'uuid',
} as const;
const parameters = (each: (parameter: string, type: string) => string) =>
  Object.values(EXCHANGE)
    .map((type, index) => each(`$${index + 1}`, type))
    .join(', ');
const COLUMNS = Object.keys(EXCHANGE).join(', ');

/** One exchange: $1 to $8 are its columns. */
const ONE = `(VALUES (${parameters((parameter, type) => `${parameter}::${type}`)})) AS r(${COLUMNS})`;
/**
 * Several: $1 to $8 are arrays. Those of sessions that another transaction has locked are left out.
 * The sub-selects hide the length of the arrays from the planner, which would otherwise make a plan
 * for each length: ten times the work of the execution.
 */
const SEVERAL = `(
        SELECT r.* FROM unnest(${parameters((parameter, type) => `(SELECT ${parameter}::${type}[])`)}) AS r(${COLUMNS})
          JOIN refresh_tokens t ON t.id = r.spent_id AND ${HAS_SECRET('r.spent_hash')}
          JOIN sessions s ON s.id = t.session_id FOR NO KEY UPDATE OF s SKIP LOCKED) r`;

interface RotationParts {
  /** The source of the rows `r`. */
  readonly exchanges: string;
  /** A sub-select before the new tokens. */
  readonly marking?: string;
  /** Where the new tokens come from. */
  readonly source?: string;
  /** The last column. */
  readonly scope: string;
}

/**
 * Exchanges tokens at the time $9. Simultaneous single rotations of a session wait for its row. A
 * waiting UPDATE reads it again when it gets the lock, and finds another current token. A session
 * ends $10 seconds after it started, and its tokens expire at that time at the latest. The
 * membership is that in the tenant of the exchange, if there is one, else that in the active
 * tenant, which stays. Of most sessions the join finds it; the function takes three times as long,
 * so it is called for the others only.
 */
const rotateTokens = ({ exchanges, marking = '', source = 'session', scope }: RotationParts) => `
  WITH session AS (
    UPDATE sessions s SET last_used_at = $9, ip = r.ip, user_agent = r.user_agent, current_token_id = r.token_id,
           expires_at = least(r.expires_at, s.created_at + make_interval(secs => $10))
      FROM ${exchanges}, refresh_tokens t, users u
     WHERE t.id = r.spent_id AND ${HAS_SECRET('r.spent_hash')} AND t.expires_at > $9 AND ${IS_CURRENT}
       AND s.id = t.session_id AND s.revoked_at IS NULL AND s.created_at + make_interval(secs => $10) > $9
       AND u.id = s.user_id AND u.disabled_at IS NULL
    RETURNING s.id AS session_id, s.expires_at, r.spent_id, r.token_id, r.secret_hash, r.tenant_id AS named_tenant_id,
              ${PROVEN}, ${SUBJECT}, ${OPEN_SCOPE}
  )${marking}, token AS (
    INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at)
    SELECT token_id, session_id, secret_hash, expires_at FROM ${source}
    RETURNING id
  )
  SELECT token.id AS "tokenId", ${SUBJECT_OF_SESSION}, ${MEMBERSHIP_COLUMNS},
         CASE WHEN tenant_id IS NULL THEN ${requested('session.named_tenant_id', '$9')} END AS requested,
         ${scope} AS scope
    FROM session JOIN token ON token.id = session.token_id
    LEFT JOIN LATERAL ${joinedMembership('session.id', 'coalesce(session.named_tenant_id, session.active_tenant_id)')} m
      ON true`;

export const ROTATE_TOKEN = rotateTokens({ exchanges: ONE, scope: CLOSE_SCOPE });

/**
 * Its scope stays open until its transaction ends, which must be its own: a row that closed it
 * would close it for the rows behind it, too.
 */
export const ROTATE_TOKENS = rotateTokens({ exchanges: SEVERAL, scope: 'NULL' });

/** The same for a token of an earlier version, whose instances see only that it is marked. */
export const ROTATE_EARLIER_TOKEN = rotateTokens({
  exchanges: ONE,
  marking: `, spent AS (
    UPDATE refresh_tokens t SET is_revoked = true FROM session WHERE t.id = session.spent_id AND NOT t.is_revoked
    RETURNING session.token_id, t.session_id, session.secret_hash, session.expires_at
  )`,
  source: 'spent',
  scope: CLOSE_SCOPE,
});

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
