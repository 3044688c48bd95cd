import { Injectable } from '@nestjs/common';
import { And, Any, Raw } from 'typeorm';
import { takeOldest } from '../../platform/database/batch-deletion';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Session } from '../domain/session';

const TOKENS = { table: 'refresh_tokens', key: ['id'], by: 'expires_at', returned: 'd.session_id AS "sessionId"' };
/** Used tokens, and rows of access tokens only. */
const IS_USED = '(is_revoked OR token_hash IS NULL)';

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
   * Deletes a batch; inside a transaction. Used tokens, and rows of access tokens only, are deleted
   * as soon as they expire, because there are many of them. The last token of a session is kept for
   * the retention period.
   * @param retained tokens that expired until this time are deleted whatever their state
   * @param usedSince how far back used tokens are looked for: not all that are kept are read
   * @returns how many tokens were deleted
   */
  async purge(now: Date, retained: Date, usedSince: Date, limit: number): Promise<number> {
    const expired = { ...TOKENS, until: retained };
    const used = { ...TOKENS, until: now, after: usedSince, where: IS_USED };
    const tokens: { sessionId: string }[] = [];
    for (const rows of [expired, used])
      tokens.push(...(await takeOldest<{ sessionId: string }>(this.unitOfWork, rows, limit)));
    await this.rows.delete({ id: And(Any(tokens.map(({ sessionId }) => sessionId)), HAS_NO_TOKEN) });
    return tokens.length;
  }
}
