import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { PlatformFailures } from '../../platform/platform.failures';
import type { Result } from '../../platform/result';
import { FailureException } from '../responses/http-status';

/** Who is asking, as the access token says it. */
export interface Actor {
  readonly userId: string;
  readonly isAdmin: boolean;
  /** The active tenant, or null for a user who is in none. */
  readonly tenantId: string | null;
  readonly role: string;
  readonly permissions: readonly string[];
  /** The real person behind it while an admin impersonates, else null. */
  readonly impersonatorId: string | null;
  /** The token's jti; through it the session is found. */
  readonly tokenId: string;
  /** When the token expires, in seconds since 1970. */
  readonly expiresAt: number;
}

/** An actor who is in a tenant. */
export interface TenantActor extends Actor {
  readonly tenantId: string;
}

declare module 'express' {
  interface Request {
    /**
     * What the bearer token of this request says, or why it says nothing; undefined when none was
     * sent.
     */
    identity?: Result<Actor>;
  }
}

/** The actor of the running request; only on routes that need a signed-in caller. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => actorOf(context));

/** The same on routes about the active tenant: NOT_FOUND for who is in none. */
export const CurrentTenantActor = createParamDecorator((_: unknown, context: ExecutionContext): TenantActor => {
  const actor = actorOf(context);
  if (actor.tenantId === null) throw new FailureException(PlatformFailures.notFound);
  return actor as TenantActor;
});

function actorOf(context: ExecutionContext): Actor {
  const { identity } = context.switchToHttp().getRequest<Request>();
  if (!identity?.ok) throw new Error('An actor is asked for on a route that is open to anyone.');
  return identity.value;
}
