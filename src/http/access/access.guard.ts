import { applyDecorators, Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';
import { DomainEvents, AggregatedEvent } from '../../platform/domain-events';
import type { Permission } from '../../platform/permissions';
import { PlatformFailures } from '../../platform/platform.failures';
import type { Actor } from './actor';
import { saysImpersonation } from './access-tokens';
import { FailureException } from '../responses/http-status';
import { bearerIn } from './authenticate.middleware';

/** Who may use a route. */
export type Access =
  | { readonly for: 'anyone' }
  | { readonly for: 'signed-in' }
  | { readonly for: 'permission'; readonly permission: Permission }
  | { readonly for: 'owner' }
  | { readonly for: 'admin' };

/** The name of the built-in role that every tenant has one holder of. */
export const OWNER = 'Owner';
/**
 * Where the API document says what a route needs beyond a token; such a route may answer FORBIDDEN.
 */
export const NEEDS = 'x-needs';
/** Where it says that a route is closed to an admin who acts as somebody else. */
export const NOT_WHILE_IMPERSONATING = 'x-not-while-impersonating';

/** Where it says that the session of the access token must live. */
export const LIVE_SESSION = 'x-live-session';

const DeclaredAccess = Reflector.createDecorator<Access>();
const NeedsLiveSession = Reflector.createDecorator<true>();

/** What a route declares, else its controller; undefined is refused at start-up. */
export function accessOf(handler: object, controller: object): Access | undefined {
  return (Reflect.getMetadata(DeclaredAccess.KEY, handler) ?? Reflect.getMetadata(DeclaredAccess.KEY, controller)) as
    Access | undefined;
}

/**
 * Whether a route, or its controller, is marked by `@LiveSession`; looked at by the guard of the
 * auth module.
 */
export function needsLiveSession(handler: object, controller: object): boolean {
  return Reflect.hasMetadata(NeedsLiveSession.KEY, handler) || Reflect.hasMetadata(NeedsLiveSession.KEY, controller);
}

abstract class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const access = accessOf(context.getHandler(), context.getClass());
    this.check(access, context.switchToHttp().getRequest<Request>());
    return true;
  }

  protected abstract check(access: Access | undefined, request: Request): void;
}

/**
 * 401 without a valid access token, wherever the route is not open to anyone. Stands before every
 * route.
 */
@Injectable()
export class JwtGuard extends AccessGuard {
  protected check(access: Access | undefined, { identity }: Request): void {
    if (access?.for === 'anyone' || identity?.ok) return;
    throw new FailureException(identity ? identity.failure : PlatformFailures.unauthenticated);
  }
}

/** 403 when the token's permissions do not contain the one that the route needs. */
@Injectable()
export class PermissionGuard extends AccessGuard {
  protected check(access: Access | undefined, { identity }: Request): void {
    if (access?.for !== 'permission') return;
    if (!identity?.ok || !identity.value.permissions.includes(access.permission))
      throw new FailureException(PlatformFailures.forbidden);
  }
}

/**
 * 403 when the route is for the Owner of the active tenant and the token names another role. No
 * custom role can be called so.
 */
@Injectable()
export class OwnerGuard extends AccessGuard {
  protected check(access: Access | undefined, { identity }: Request): void {
    if (access?.for === 'owner' && !(identity?.ok && identity.value.role === OWNER))
      throw new FailureException(PlatformFailures.forbidden);
  }
}

/** Somebody who is no global admin asked for a route of operators. */
export class AccessDenied extends AggregatedEvent {
  constructor({ userId, impersonatorId }: Actor, route: string) {
    super('access.denied', { userId, impersonatorId }, null, { type: 'route', id: route });
  }
}

/**
 * 403 when the route is for global admins and the token does not say is_admin; the audit log counts
 * who was refused.
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
 * 403 when an admin acts as somebody else: what would outlast the impersonation, or is the person's
 * own to decide (docs/contract.md, Impersonation). On a route that is open to anyone also when the
 * token is no longer good: logging out then would end the admin's own session, by the cookie.
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

export const Public = () => DeclaredAccess({ for: 'anyone' });
export const SignedIn = () => applyDecorators(DeclaredAccess({ for: 'signed-in' }), ApiBearerAuth());
export const RequirePermission = (permission: Permission) =>
  restricted({ for: 'permission', permission }, PermissionGuard, permission);
export const OwnerOnly = () => restricted({ for: 'owner' }, OwnerGuard, 'Owner of the active tenant');
export const AdminOnly = () =>
  applyDecorators(NotWhileImpersonating(), restricted({ for: 'admin' }, AdminGuard, 'global admin'));
export const NotWhileImpersonating = () =>
  applyDecorators(UseGuards(ImpersonationGuard), ApiExtension(NOT_WHILE_IMPERSONATING, true));

/**
 * For what changes sessions, passwords, owners or ways in, or deletes something: 401 SESSION_ENDED
 * unless the token's session lives (docs/contract.md, Sessions).
 */
export const LiveSession = () => applyDecorators(NeedsLiveSession(true), ApiExtension(LIVE_SESSION, true));

/** @param needed what the API document says that the caller must have */
function restricted(
  access: Access,
  guard: typeof PermissionGuard | typeof OwnerGuard | typeof AdminGuard,
  needed: string,
) {
  return applyDecorators(DeclaredAccess(access), UseGuards(guard), ApiBearerAuth(), ApiExtension(NEEDS, needed));
}
