import { Injectable } from '@nestjs/common';
import { And, Any, Raw } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Session } from '../domain/session';

/**
 * Used tokens, and rows of access tokens only, are deleted as soon as they expire ($1), because
 * there are many of them. The last token of a session is kept for the retention period ($2). $3
 * bounds the second part, so that it does not read all tokens of that period.
 */
const PURGE_REFRESH_TOKENS = `
  DELETE FROM refresh_tokens WHERE id IN (
    (SELECT id FROM refresh_tokens WHERE expires_at <= $2 ORDER BY expires_at LIMIT $4)
    UNION ALL
    (SELECT id FROM refresh_tokens WHERE expires_at <= $1 AND expires_at > $3 AND (is_revoked OR token_hash IS NULL)
      ORDER BY expires_at LIMIT $4))
  RETURNING session_id AS "sessionId"`;

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
   * Deletes a batch; inside a transaction.
   * @param retained tokens that expired until this time are deleted whatever their state
   * @param usedSince how far back used tokens are looked for
   * @returns how many tokens were deleted
   */
  async purge(now: Date, retained: Date, usedSince: Date, limit: number): Promise<number> {
    const parameters = [now, retained, usedSince, limit];
    const tokens = await this.unitOfWork.query<{ sessionId: string }>(PURGE_REFRESH_TOKENS, parameters);
    await this.rows.delete({ id: And(Any(tokens.map(({ sessionId }) => sessionId)), HAS_NO_TOKEN) });
    return tokens.length;
  }
}
