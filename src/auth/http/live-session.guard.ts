import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isPerson } from '../../http/access/actor';
import { accessOf, actsInTenant, freshMinutesOf, isAllowed, needsLiveSession } from '../../http/access/access';
import { MINUTE } from '../../platform/clock';
import { FailureException } from '../../http/responses/http-status';
import { SessionCheck } from '../services/session-check';

/**
 * Refuses with 401 SESSION_ENDED on routes with `@LiveSession` if the session of the access token
 * has ended, and with 403 STEP_UP_REQUIRED on routes with `@Fresh` if the proof of the identity is
 * too old (RFC 9470); and in a tenant with the 403 of its sign-in policy, because what such a route
 * does may outlive the access token, which would no longer be issued. One query of the database,
 * because revocations reach other instances up to a second later, which is too late for actions
 * that cannot be undone.
 */
@Injectable()
export class LiveSessionGuard implements CanActivate {
  constructor(private readonly sessionCheck: SessionCheck) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const { identity } = context.switchToHttp().getRequest<Request>();
    // a key has no session: LiveKeyGuard
    if (!identity?.ok || !isPerson(identity.value) || !needsLiveSession(handler, controller)) return true;
    const isRefused =
      identity.value.impersonatorId !== null || !isAllowed(accessOf(handler, controller), identity.value);
    // whom a later guard refuses is not asked to confirm the identity first
    const freshSeconds = isRefused ? Infinity : (freshMinutesOf(handler, controller) ?? Infinity) * MINUTE;
    const tenantId = !isRefused && actsInTenant(handler, controller) ? identity.value.tenantId : null;
    const { tokenId } = identity.value;
    const allowed = await (tenantId === null
      ? this.sessionCheck.check(tokenId, freshSeconds)
      : this.sessionCheck.checkInTenant(tokenId, tenantId, freshSeconds));
    if (allowed.ok) return true;
    if (allowed.failure.code === 'STEP_UP_REQUIRED') {
      const challenge = `Bearer error="insufficient_user_authentication", max_age=${freshSeconds}`;
      context.switchToHttp().getResponse<Response>().setHeader('WWW-Authenticate', challenge);
    }
    throw new FailureException(allowed.failure);
  }
}
