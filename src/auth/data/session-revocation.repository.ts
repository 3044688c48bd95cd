import { Injectable } from '@nestjs/common';
import { Any, MoreThanOrEqual } from 'typeorm';
import { REVOCATION_SECONDS } from '../../http/access/revoked-tokens';
import { addSeconds } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { firstIdAt } from '../../platform/ids';
import type { RefreshTokenRef } from '../domain/refresh-token-text';
import { REPLAY_SECONDS, RefreshToken, type RevokedSession } from '../domain/session';
import { HAS_SECRET } from './token-rotation.statements';

/**
 * Revokes the live sessions that match the condition ($1 is the time). Locking in the order of ids
 * prevents a deadlock between two such statements. `tenantId` is set only while the user is a
 * member of the tenant; later the tenant must not see the audit entry.
 */
const revokeSessionsWhere = (condition: string) => `
  WITH chosen AS (
    SELECT s.id FROM sessions s WHERE ${condition} AND s.revoked_at IS NULL ORDER BY s.id FOR UPDATE
  )
  UPDATE sessions s SET revoked_at = $1 FROM chosen WHERE s.id = chosen.id
  RETURNING s.id, s.user_id AS "userId",
            (SELECT m.tenant_id FROM membership_of(s.user_id, s.active_tenant_id, false) m) AS "tenantId"`;

/** Revokes sessions. The refresh tokens of a revoked session are revoked as well. */
@Injectable()
export class SessionRevocationRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Revokes the live session that a refresh token belongs to. */
  revokeByToken({ id, secretHash }: RefreshTokenRef, now: Date): Promise<RevokedSession[]> {
    const session = `SELECT session_id FROM refresh_tokens t WHERE t.id = $2 AND ${HAS_SECRET('$3')}`;
    return this.revokeWhere(`s.id = (${session})`, now, [id, secretHash]);
  }

  /** Revokes one live session of a user. */
  revokeOne(userId: string, sessionId: string, now: Date): Promise<RevokedSession[]> {
    return this.revokeWhere('s.user_id = $2 AND s.id = $3', now, [userId, sessionId]);
  }

  /** Revokes all live sessions of a user. */
  revokeAll(userId: string, now: Date): Promise<RevokedSession[]> {
    return this.revokeWhere('s.user_id = $2', now, [userId]);
  }

  /** Revokes the live sessions of a user that began without proof of the mailbox. */
  revokeUnproven(userId: string, now: Date): Promise<RevokedSession[]> {
    return this.revokeWhere('s.user_id = $2 AND NOT s.is_proven', now, [userId]);
  }

  /**
   * Revokes all live sessions of a user except for the one that this access token was issued in.
   */
  revokeOthers(userId: string, tokenId: string, now: Date): Promise<RevokedSession[]> {
    const others = 's.user_id = $2 AND s.id IS DISTINCT FROM (SELECT session_id FROM refresh_tokens WHERE id = $3)';
    return this.revokeWhere(others, now, [userId, tokenId]);
  }

  /**
   * The jtis of the access tokens that may still be valid, at most `limit`, of sessions that this
   * transaction has revoked. A separate statement, so that it also sees a token that a rotation
   * added while the sessions were being locked.
   */
  async accessTokensOf(sessionIds: readonly string[], now: Date, limit: number): Promise<string[]> {
    // a repeated refresh issues an access token with an older id
    const since = firstIdAt(addSeconds(now, -REVOCATION_SECONDS - REPLAY_SECONDS));
    const issued = { sessionId: Any([...sessionIds]), id: MoreThanOrEqual(since) };
    const tokens = await this.unitOfWork.manager.find(RefreshToken, {
      select: { id: true },
      where: issued,
      take: limit,
    });
    return tokens.map(({ id }) => id);
  }

  private revokeWhere(condition: string, now: Date, parameters: unknown[]): Promise<RevokedSession[]> {
    return this.unitOfWork.query<RevokedSession>(revokeSessionsWhere(condition), [now, ...parameters]);
  }
}
