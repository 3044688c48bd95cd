import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { SessionRepository } from '../data/session.repository';

/**
 * The current state of the session that an access token was issued in, read from the database. An
 * access token stays valid for up to 15 minutes after its session has ended.
 */
@Injectable()
export class SessionCheck {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  /** Whether the session is neither revoked nor expired. */
  async isLive(tokenId: string): Promise<boolean> {
    const session = await this.sessions.findByAccessToken(tokenId);
    return session?.isLive(this.clock.now()) ?? false;
  }

  /** Whether the session started with proof of the mailbox (see Session.isProven). */
  async isProven(tokenId: string): Promise<boolean> {
    return (await this.sessions.findByAccessToken(tokenId))?.isProven ?? false;
  }

  /** Whether the session belongs to this user, is not revoked, and started at `since` or later. */
  async isStartedSince(userId: string, tokenId: string, since: Date): Promise<boolean> {
    const session = await this.sessions.findByAccessToken(tokenId);
    return session?.isStartedSince(userId, since) ?? false;
  }
}
