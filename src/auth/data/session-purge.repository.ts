import { Injectable } from '@nestjs/common';
import { And, Any, Raw } from 'typeorm';
import { takeOldest } from '../../platform/database/batch-deletion';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { SMALLEST_ID } from '../../platform/pagination';
import { Session } from '../domain/session';

const TOKENS = { table: 'refresh_tokens', key: ['id'], by: 'expires_at', returned: 'd.session_id AS "sessionId"' };

/** Where a search of used tokens goes on, in the order in which they expired. */
export interface PurgePosition {
  /** As PostgreSQL writes it, with microseconds. */
  readonly expiresAt: string;
  readonly id: string;
}

/**
 * Reads the next $2 tokens that expired until $1 after those at $3 and $4, and deletes what is used
 * among them: exchanged tokens, those of revoked sessions, and rows of access tokens only. Tokens
 * that are kept are read once, not by each batch.
 */
const DELETE_USED = `
  WITH expired AS (
    SELECT id, session_id, expires_at, is_revoked OR coalesce(secret_hash, token_hash) IS NULL AS is_used
      FROM refresh_tokens WHERE expires_at <= $1 AND expires_at >= $3 AND (expires_at, id) > ($3, $4)
     ORDER BY expires_at, id LIMIT $2
  ), used AS (
    SELECT e.id FROM expired e JOIN sessions s ON s.id = e.session_id
     WHERE e.is_used OR s.revoked_at IS NOT NULL OR s.current_token_id <> e.id
  ), deleted AS (
    DELETE FROM refresh_tokens WHERE id = ANY (ARRAY(SELECT id FROM used)) RETURNING session_id
  ), last AS (
    SELECT id, expires_at FROM expired ORDER BY expires_at DESC, id DESC LIMIT 1
  )
  SELECT (SELECT count(*)::int FROM expired) AS found, ARRAY(SELECT session_id FROM deleted) AS "sessionIds",
         (SELECT id FROM last) AS id, (SELECT expires_at::text FROM last) AS "expiresAt"`;

interface DeletedUsed {
  readonly found: number;
  readonly sessionIds: string[];
  readonly id: string | null;
  readonly expiresAt: string | null;
}

/**
 * A session is deleted together with its last token. Sessions are found only by the tokens that
 * were deleted just now; a session that is missed here would never be deleted.
 */
const HAS_NO_TOKEN = Raw(() => 'NOT EXISTS (SELECT FROM refresh_tokens t WHERE t.session_id = sessions.id)');

/** Deletes expired refresh tokens, and sessions whose last token is among them. */
@Injectable()
export class SessionPurgeRepository extends EntityRepository<Session> {
  constructor(unitOfWork: UnitOfWork) {
    super(Session, unitOfWork);
  }

  /**
   * Deletes a batch of tokens that expired until `retained`, whatever their state; inside a
   * transaction. @returns how many
   */
  async purgeAll(retained: Date, limit: number): Promise<number> {
    const tokens = await takeOldest<{ sessionId: string }>(this.unitOfWork, { ...TOKENS, until: retained }, limit);
    await this.removeEmpty(tokens.map(({ sessionId }) => sessionId));
    return tokens.length;
  }

  /**
   * Deletes the used ones among the next tokens that expired until now; inside a transaction. They
   * are deleted as soon as they expire, because there are many of them. The last token of a session
   * is kept for the retention period.
   * @param from where the last batch ended, or the time from which on tokens are read
   * @returns how many were read, and where the next batch goes on
   */
  async purgeUsed(
    now: Date,
    from: PurgePosition | Date,
    limit: number,
  ): Promise<{ found: number; next: PurgePosition | undefined }> {
    const [expiresAt, after] = from instanceof Date ? [from.toISOString(), SMALLEST_ID] : [from.expiresAt, from.id];
    const parameters = [now, limit, expiresAt, after];
    const [{ found, sessionIds, id, expiresAt: at }] = await this.unitOfWork.query<DeletedUsed>(
      DELETE_USED,
      parameters,
    );
    await this.removeEmpty(sessionIds);
    return { found, next: id && at ? { id, expiresAt: at } : undefined };
  }

  private async removeEmpty(sessionIds: readonly string[]): Promise<void> {
    await this.rows.delete({ id: And(Any([...sessionIds]), HAS_NO_TOKEN) });
  }
}
