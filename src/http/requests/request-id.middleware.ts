import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { parsedAddress } from '../../platform/client-address';
import { withRequestContext } from '../../platform/observability/request-context';
import { cookieIn, DEVICE_COOKIE } from '../access/cookies';

const SANE_ID = /^[A-Za-z0-9._:@/+=-]{1,128}$/;
const USER_AGENT_LENGTH = 400;

/**
 * Gives the request an id of our own, and the context that its log lines and audit entries take it
 * from. The answer carries the caller's id, where it is a sane token; log lines have both, and
 * nobody can write into the audit log what id a request had (docs/contract.md, Audit log).
 */
export function assignRequestId(): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const offered = request.headers['x-request-id'];
    const requestId = randomUUID();
    const clientRequestId = typeof offered === 'string' && SANE_ID.test(offered) ? offered : undefined;
    response.setHeader('X-Request-Id', clientRequestId ?? requestId);
    if (request.path.startsWith('/api/')) response.setHeader('Cache-Control', 'no-store');
    const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH) ?? null;
    const ip = parsedAddress(request.ip, request.socket.remoteAddress);
    withRequestContext(
      { requestId, clientRequestId, ip, userAgent, deviceCookie: cookieIn(request, DEVICE_COOKIE) },
      next,
    );
  };
}
