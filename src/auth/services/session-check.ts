import { Injectable } from '@nestjs/common';
import { Clock, addSeconds } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { SessionRepository } from '../data/session.repository';
import { OBSTACLE_FAILURES, type PolicyFailure } from '../domain/policy-failures';
import type { Session } from '../domain/session';
import { StepUpMethods } from './step-up-methods';

/**
 * The current state of the session that an access token was issued in, read from the database. An
 * access token stays valid for up to 15 minutes after its session has ended.
 */
@Injectable()
export class SessionCheck {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly stepUpMethods: StepUpMethods,
    private readonly clock: Clock,
  ) {}

  /**
   * @param freshSeconds within how many seconds the user must have proven their identity in this
   * session; Infinity: at any time
   * @returns SESSION_ENDED if it is revoked or expired; STEP_UP_REQUIRED
   */
  async check(tokenId: string, freshSeconds: number): Promise<Result<void, 'SESSION_ENDED' | 'STEP_UP_REQUIRED'>> {
    return this.checkFound(await this.sessions.findByAccessToken(tokenId), freshSeconds);
  }

  /** The same, and what the sign-in policy of a tenant asks of the session; as many messages. */
  async checkInTenant(
    tokenId: string,
    tenantId: string,
    freshSeconds: number,
  ): Promise<Result<void, 'SESSION_ENDED' | 'STEP_UP_REQUIRED' | PolicyFailure>> {
    const { session, obstacle } = await this.sessions.findWithObstacle(tokenId, tenantId, this.clock.now());
    return obstacle ? err(OBSTACLE_FAILURES[obstacle]) : this.checkFound(session, freshSeconds);
  }

  private async checkFound(
    session: Session | undefined,
    freshSeconds: number,
  ): Promise<Result<void, 'SESSION_ENDED' | 'STEP_UP_REQUIRED'>> {
    const now = this.clock.now();
    if (!session?.isLive(now)) return err(PlatformFailures.sessionEnded);
    if (freshSeconds === Infinity) return ok();
    const isFresh = session.isProvedSince(addSeconds(now, -freshSeconds)) && !(await this.lacksFactor(session));
    return isFresh ? ok() : err(PlatformFailures.stepUpRequired);
  }

  /** Whether the user needs a second factor for what this session has proven without one. */
  private async lacksFactor({ secondFactorAt, userId }: Session): Promise<boolean> {
    return secondFactorAt === null && this.stepUpMethods.needFactor(userId);
  }

  /** What the user has proven in the session; undefined after it was purged. */
  provenIn(tokenId: string): Promise<Pick<Session, 'methods' | 'secondFactorAt'> | undefined> {
    return this.sessions.findByAccessToken(tokenId);
  }

  /** Whether the session started with proof of the mailbox (see Session.isProven). */
  async isProven(tokenId: string): Promise<boolean> {
    return (await this.sessions.findByAccessToken(tokenId))?.isProven ?? false;
  }
}
