import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { PlatformFailures } from '../../platform/platform.failures';
import type { Result } from '../../platform/result';
import { FailureException } from '../responses/http-status';

/** Who a request comes from. */
export interface Principal {
  /** A person with an access token, a key of a service account, or a personal token. */
  readonly kind: 'person' | 'service' | 'token';
  /** The id of the user, the service account or the personal token. */
  readonly id: string;
  /** The user who created the key of a service account; null if the account was deleted. */
  readonly createdBy?: string | null;
  /** Requests per minute that a key may send; undefined: as many as a person. */
  readonly perMinute?: number;
  /**
   * The id under which the requests of a key are counted, together with those of a key that it
   * replaces; undefined for a person.
   */
  readonly countedAs?: string;
}

/** The authenticated caller of a request, from the access token or the key. */
export interface Caller {
  readonly principal: Principal;
  /** The person who acts; null for a service account. */
  readonly userId: string | null;
  readonly isAdmin: boolean;
  /** The active tenant, or null for a user without a tenant. */
  readonly tenantId: string | null;
  readonly role: string;
  readonly permissions: readonly string[];
  /** The admin's user id during impersonation, else null. */
  readonly impersonatorId: string | null;
  /** The token's jti, which leads to the session; the id of a key. */
  readonly tokenId: string;
  /** When the token expires, in seconds since 1970; Infinity for a key without an end. */
  readonly expiresAt: number;
}

/** A person, who has sent an access token. */
export interface Actor extends Caller {
  readonly userId: string;
}

/** A caller with an active tenant: a person or a key. */
export interface TenantActor extends Caller {
  readonly tenantId: string;
}

/** A person with an active tenant. */
export interface TenantPerson extends Actor {
  readonly tenantId: string;
}

/** The caller, or why the access token or key is refused. */
export type Authentication = Result<
  Caller,
  | 'UNAUTHENTICATED'
  | 'ACCESS_TOKEN_EXPIRED'
  | 'SESSION_ENDED'
  | 'API_KEY_EXPIRED'
  | 'API_KEY_REVOKED'
  | 'ADDRESS_NOT_ALLOWED'
  | 'SECOND_FACTOR_REQUIRED'
  | 'SIGN_IN_METHOD_NOT_ALLOWED'
  | 'RATE_LIMITED'
>;

declare module 'express' {
  interface Request {
    /** The result of verifying the bearer token; undefined when none was sent. */
    identity?: Authentication;
  }
}

/** The person on routes for people; API_KEY_NOT_ALLOWED for a key. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => personIn(context));

/** The caller on routes of the active tenant, a person or a key; NOT_FOUND without a tenant. */
export const CurrentTenantActor = createParamDecorator((_: unknown, context: ExecutionContext): TenantActor =>
  inTenant(callerIn(context)),
);

/** The person on routes of the active tenant that are for people. */
export const CurrentTenantPerson = createParamDecorator((_: unknown, context: ExecutionContext): TenantPerson =>
  inTenant(personIn(context)),
);

function callerIn(context: ExecutionContext): Caller {
  const { identity } = context.switchToHttp().getRequest<Request>();
  if (!identity?.ok) throw new Error('This route has no authenticated actor.');
  return identity.value;
}

function personIn(context: ExecutionContext): Actor {
  const caller = callerIn(context);
  if (!isPerson(caller)) throw new FailureException(PlatformFailures.apiKeyNotAllowed);
  return caller;
}

/** Whether a caller is a person and no key. */
export const isPerson = (caller: Caller): caller is Actor => caller.principal.kind === 'person';

function inTenant<C extends Caller>(caller: C): C & { readonly tenantId: string } {
  if (caller.tenantId === null) throw new FailureException(PlatformFailures.notFound);
  return caller as C & { readonly tenantId: string };
}
