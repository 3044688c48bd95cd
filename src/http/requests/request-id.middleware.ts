import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { parsedAddress } from '../../platform/client-address';
import { withRequestContext } from '../../platform/observability/request-context';
import { DEVICE_COOKIE } from '../access/cookie-parser';
import type { HostCookies } from '../access/host-cookies';

/** Identifies a request, in log lines and in its response. */
export const REQUEST_ID = 'X-Request-Id' as const;
const RECEIVED = REQUEST_ID.toLowerCase();
/** The form of an id that a caller may choose. */
const SANE_ID = /^[A-Za-z0-9._:@/+=-]{1,128}$/;
const USER_AGENT_LENGTH = 400;

/**
 * Assigns an id to the request and creates its context for log lines and audit entries. The
 * response carries the caller's id if it is well formed. Log lines have both ids; the audit log has
 * only ours, so that callers cannot write into it (docs/contract.md, Audit log).
 */
export function assignRequestId(cookies: HostCookies): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const offered = request.headers[RECEIVED];
    const requestId = randomUUID();
    const clientRequestId = typeof offered === 'string' && SANE_ID.test(offered) ? offered : undefined;
    response.setHeader(REQUEST_ID, clientRequestId ?? requestId);
    if (request.path.startsWith('/api/')) response.setHeader('Cache-Control', 'no-store');
    const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH) ?? null;
    const ip = parsedAddress(request.ip, request.socket.remoteAddress);
    withRequestContext(
      { requestId, clientRequestId, ip, userAgent, deviceCookie: cookies.read(request, DEVICE_COOKIE) },
      next,
    );
  };
}
