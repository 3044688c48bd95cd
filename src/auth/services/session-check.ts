import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** The session that the access token with the jti $1 was issued in. */
const SESSION_OF_TOKEN = 'FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.id = $1';
const IS_LIVE = `SELECT ${SESSION_OF_TOKEN} AND s.revoked_at IS NULL AND s.expires_at > $2`;
const IS_PROVEN = `SELECT s.is_proven AS "isProven" ${SESSION_OF_TOKEN}`;
const STARTED_SINCE = `SELECT ${SESSION_OF_TOKEN} AND s.user_id = $2 AND s.revoked_at IS NULL AND s.created_at >= $3`;

/**
 * The current state of the session that an access token was issued in, read from the database. An
 * access token stays valid for up to 15 minutes after its session has ended.
 */
@Injectable()
export class SessionCheck {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Whether the session is neither revoked nor expired. */
  async isLive(tokenId: string): Promise<boolean> {
    return (await this.unitOfWork.query(IS_LIVE, [tokenId, this.clock.now()])).length === 1;
  }

  /** Whether the session started with proof of the mailbox (see Session.isProven). */
  async isProven(tokenId: string): Promise<boolean> {
    const [session] = await this.unitOfWork.query<{ isProven: boolean }>(IS_PROVEN, [tokenId]);
    return session?.isProven ?? false;
  }

  /** Whether the session belongs to this user, is not revoked, and started at `since` or later. */
  async isStartedSince(userId: string, tokenId: string, since: Date): Promise<boolean> {
    return (await this.unitOfWork.query(STARTED_SINCE, [tokenId, userId, since])).length === 1;
  }
}
