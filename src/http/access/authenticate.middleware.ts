import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { PlatformFailures } from '../../platform/platform.failures';
import { err } from '../../platform/result';
import type { AccessTokens } from './access-tokens';
import type { Authentication } from './actor';
import type { RevokedTokens } from './revoked-tokens';

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Whether a bearer token has the three parts of an access token (RFC 7519); a key has no dot. */
const isAccessToken = (token: string): boolean => token.split('.', 4).length === 3;

/** The token of an Authorization header (RFC 6750, section 2.1). */
export const bearerIn = (header: string | undefined): string | undefined => BEARER.exec(header ?? '')?.[1];

/** Identifies the caller of a key; at once if it is remembered or malformed. */
type ReadKey = (key: string) => Authentication | Promise<Authentication>;

/**
 * Verifies the bearer token or key without refusing anyone: the rate limit counts by caller before
 * the guards decide.
 */
export function authenticate(tokens: AccessTokens, revoked: RevokedTokens, readKey: ReadKey): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    const header = request.headers.authorization;
    const token = bearerIn(header);
    if (header !== undefined && !token) request.identity = err(PlatformFailures.unauthenticated);
    if (!token) return next();
    const read = isAccessToken(token) ? unlessRevoked(tokens.read(token), revoked) : readKey(token);
    if (!(read instanceof Promise)) {
      request.identity = read;
      return next();
    }
    read.then((identity) => {
      request.identity = identity;
      next();
    }, next);
  };
}

const unlessRevoked = (read: Authentication, revoked: RevokedTokens): Authentication =>
  read.ok && revoked.includes(read.value) ? err(PlatformFailures.sessionEnded) : read;
