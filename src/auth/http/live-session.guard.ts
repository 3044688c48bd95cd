import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { needsLiveSession } from '../../http/access/access';
import { FailureException } from '../../http/responses/http-status';
import { PlatformFailures } from '../../platform/platform.failures';
import { SessionCheck } from '../services/session-check';

/**
 * Refuses with 401 SESSION_ENDED on routes with `@LiveSession` if the session of the access token
 * has ended. It queries the database, because revocations reach other instances up to a second
 * later, which is too late for actions that cannot be undone.
 */
@Injectable()
export class LiveSessionGuard implements CanActivate {
  constructor(private readonly sessionCheck: SessionCheck) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { identity } = context.switchToHttp().getRequest<Request>();
    if (!identity?.ok || !needsLiveSession(context.getHandler(), context.getClass())) return true;
    if (await this.sessionCheck.isLive(identity.value.tokenId)) return true;
    throw new FailureException(PlatformFailures.sessionEnded);
  }
}
