import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AggregatedEvent, DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { FailureException } from '../responses/http-status';
import { accessOf, isAllowed, type Access } from './access';
import { saysImpersonation } from './access-tokens';
import type { Actor } from './actor';
import { bearerIn } from './authenticate.middleware';

abstract class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const access = accessOf(context.getHandler(), context.getClass());
    this.check(access, context.switchToHttp().getRequest<Request>());
    return true;
  }

  protected abstract check(access: Access | undefined, request: Request): void;
}

/** 401 without a valid access token, except on public routes. Runs before every route. */
@Injectable()
export class JwtGuard extends AccessGuard {
  protected check(access: Access | undefined, { identity }: Request): void {
    if (access?.for === 'anyone' || identity?.ok) return;
    throw new FailureException(identity ? identity.failure : PlatformFailures.unauthenticated);
  }
}

/**
 * 403 when the token's permissions do not include the one that the route requires, or the route is
 * for the Owner and the token has another role.
 */
@Injectable()
export class RoleGuard extends AccessGuard {
  protected check(access: Access | undefined, { identity }: Request): void {
    if (!identity?.ok || !isAllowed(access, identity.value)) throw new FailureException(PlatformFailures.forbidden);
  }
}

/** A user without the admin flag requested an admin route. */
export class AccessDenied extends AggregatedEvent {
  static readonly action = 'access.denied';

  constructor({ userId, impersonatorId }: Actor, route: string) {
    super({ userId, impersonatorId }, null, { type: 'route', id: route });
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
