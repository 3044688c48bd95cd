import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AggregatedEvent, DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import type { Failure } from '../../platform/result';
import { FailureException } from '../responses/http-status';
import { accessOf, admitsKeys, isAllowed } from './access';
import { saysImpersonation } from './access-tokens';
import { isPerson, type Caller } from './actor';
import { bearerIn } from './authenticate.middleware';

/** Why a key is refused on a route that admits keys. */
export const KEY_FAILURES: readonly Failure[] = [
  PlatformFailures.apiKeyExpired,
  PlatformFailures.apiKeyRevoked,
  PlatformFailures.addressNotAllowed,
  PlatformFailures.tokenWithoutSecondFactor,
  PlatformFailures.tokenMethodNotAllowed,
];

/**
 * 401 without a valid access token or key, except on public routes, and 403 API_KEY_NOT_ALLOWED
 * with a key, even an expired one, on a route for people. Runs before every route.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    if (accessOf(handler, controller)?.for === 'anyone') return true;
    const { identity } = context.switchToHttp().getRequest<Request>();
    if (!identity) throw new FailureException(PlatformFailures.unauthenticated);
    const isKey = identity.ok
      ? !isPerson(identity.value)
      : KEY_FAILURES.some(({ code }) => code === identity.failure.code);
    if (isKey && !admitsKeys(handler, controller)) throw new FailureException(PlatformFailures.apiKeyNotAllowed);
    if (!identity.ok) throw new FailureException(identity.failure);
    return true;
  }
}

/**
 * 403 when the token's permissions do not include the one that the route requires, or the route is
 * for the Owner and the token has another role.
 */
@Injectable()
export class RoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const access = accessOf(context.getHandler(), context.getClass());
    const { identity } = context.switchToHttp().getRequest<Request>();
    if (identity?.ok && isAllowed(access, identity.value)) return true;
    throw new FailureException(PlatformFailures.forbidden);
  }
}

/** A user without the admin flag requested an admin route. */
export class AccessDenied extends AggregatedEvent {
  static readonly action = 'access.denied';

  constructor({ userId, impersonatorId }: Caller, route: string) {
    super({ userId, impersonatorId }, null, { type: 'route', id: route });
  }

  override get isFirstWritten(): boolean {
    return true;
  }
}

/**
 * 403 when the route is for admins and the token has no is_admin. The audit log counts refusals.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly events: DomainEvents) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { identity, method } = request;
    if (identity?.ok && identity.value.isAdmin) return true;
    const { path } = request.route as { path: string };
    if (identity?.ok) await this.events.publish(new AccessDenied(identity.value, `${method} ${path}`));
    throw new FailureException(PlatformFailures.forbidden);
  }
}

/**
 * 403 during impersonation, for actions that would outlast it or that only the user may decide
 * (docs/contract.md, Impersonation). On a public route also when the token is no longer valid:
 * signing out with it would end the admin's own session by the cookie.
 */
@Injectable()
export class ImpersonationGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { identity, headers } = context.switchToHttp().getRequest<Request>();
    const token = identity && bearerIn(headers.authorization);
    if (token && saysImpersonation(token)) throw new FailureException(PlatformFailures.notWhileImpersonating);
    return true;
  }
}
