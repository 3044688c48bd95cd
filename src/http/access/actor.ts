import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { PlatformFailures } from '../../platform/platform.failures';
import type { Result } from '../../platform/result';
import { FailureException } from '../responses/http-status';

/** The authenticated caller, from the access token. */
export interface Actor {
  readonly userId: string;
  readonly isAdmin: boolean;
  /** The active tenant, or null for a user without a tenant. */
  readonly tenantId: string | null;
  readonly role: string;
  readonly permissions: readonly string[];
  /** The admin's user id during impersonation, else null. */
  readonly impersonatorId: string | null;
  /** The token's jti, which leads to the session. */
  readonly tokenId: string;
  /** When the token expires, in seconds since 1970. */
  readonly expiresAt: number;
}

/** An actor with an active tenant. */
export interface TenantActor extends Actor {
  readonly tenantId: string;
}

/** The caller, or why the access token is refused. */
export type Authentication = Result<Actor, 'UNAUTHENTICATED' | 'ACCESS_TOKEN_EXPIRED' | 'SESSION_ENDED'>;

declare module 'express' {
  interface Request {
    /** The result of verifying the bearer token; undefined when none was sent. */
    identity?: Authentication;
  }
}

/** The caller; only on routes that require a signed-in caller. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => actorOf(context));

/** The caller on routes of the active tenant; NOT_FOUND without one. */
export const CurrentTenantActor = createParamDecorator((_: unknown, context: ExecutionContext): TenantActor => {
  const actor = actorOf(context);
  if (actor.tenantId === null) throw new FailureException(PlatformFailures.notFound);
  return actor as TenantActor;
});

function actorOf(context: ExecutionContext): Actor {
  const { identity } = context.switchToHttp().getRequest<Request>();
  if (!identity?.ok) throw new Error('This route has no authenticated actor.');
  return identity.value;
}
