import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { needsLiveSession } from '../../http/access/access.guard';
import { FailureException } from '../../http/responses/http-status';
import { Clock } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { SessionRepository } from '../data/session.repository';

/**
 * 401 SESSION_ENDED on a route marked by `@LiveSession` when the session that the access token was
 * minted in has ended, by one look at the database: what cannot be taken back is not left to the
 * second that an announcement may take.
 */
@Injectable()
export class LiveSessionGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { identity } = context.switchToHttp().getRequest<Request>();
    if (!identity?.ok || !needsLiveSession(context.getHandler(), context.getClass())) return true;
    if (await this.sessions.lives(identity.value.tokenId, this.clock.now())) return true;
    throw new FailureException(PlatformFailures.sessionEnded);
  }
}
