import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Result } from '../platform/result';

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
  /** The token's jti: the refresh token that it was minted with. */
  readonly tokenId: string;
}

declare module 'express' {
  interface Request {
    /** What the bearer token of this request says, or why it says nothing; undefined when none was sent. */
    identity?: Result<Actor>;
  }
}

/** The actor of the running request; only on routes that need a signed-in caller. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { identity } = context.switchToHttp().getRequest<Request>();
  if (!identity?.ok) throw new Error('CurrentActor on a route that is open to anyone');
  return identity.value;
});
