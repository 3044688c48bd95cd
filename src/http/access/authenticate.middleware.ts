import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { PlatformFailures } from '../../platform/platform.failures';
import { err } from '../../platform/result';
import type { AccessTokens } from './access-tokens';
import type { Authentication } from './actor';
import type { RevokedTokens } from './revoked-tokens';

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The token of an Authorization header (RFC 6750, section 2.1). */
export const bearerIn = (header: string | undefined): string | undefined => BEARER.exec(header ?? '')?.[1];

/**
 * Verifies the bearer token without refusing anyone: the rate limit counts by user before the
 * guards decide.
 */
export function authenticate(tokens: AccessTokens, revoked: RevokedTokens): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    const header = request.headers.authorization;
    if (header !== undefined) {
      const token = bearerIn(header);
      request.identity = token ? unlessRevoked(tokens.read(token), revoked) : err(PlatformFailures.unauthenticated);
    }
    next();
  };
}

const unlessRevoked = (read: Authentication, revoked: RevokedTokens): Authentication =>
  read.ok && revoked.includes(read.value) ? err(PlatformFailures.sessionEnded) : read;
