import type { Store } from 'express-rate-limit';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { networksAround, type Network } from '../../platform/client-address';
import { MINUTE, secondsUntil } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { currentContext } from '../../platform/observability/request-context';
import { FailureException } from '../responses/http-status';
import { hitAll, hitsOf, type RateLimitStores } from './rate-limit-stores';
import type { Caller } from '../access/actor';
import type { PublicRoutes } from '../access/public-routes';
import type { RateLimitMetrics } from './rate-limit-metrics';

const WINDOW_MS = MINUTE * 1000;
const EXEMPT = /^\/(metrics$|api\/v1\/health(\/|$)|api\/v1\/webhooks\/(stripe|processor)\/?$)/;
/** The paths of signed bodies. */
const SIGNED = /^\/api\/v1\/(webhooks|leaks)\//;
/** Refused signed bodies per minute and client address. */
const MOST_REFUSED = 60;
const AUTH = /^\/api\/v1\/auth\//;

/**
 * Allows `perMinute` requests per minute and user or key, or per client address without a token,
 * and more for the networks around it; beyond that 429 RATE_LIMITED. A key may have a lower limit
 * of its own. Public routes count by address even with a token, because an account costs nothing.
 * Responses carry RateLimit-Limit, -Remaining and -Reset (seconds), refusals also Retry-After. When
 * the shared counter is unreachable, no request is refused. The counters are express-rate-limit's;
 * its middleware would take a tenth of the time of a small request.
 * @param perMinute 0: no limit but those of keys
 */
export function limitRate(
  perMinute: number,
  counters: RateLimitStores,
  routes: PublicRoutes,
  refusals: RateLimitMetrics,
): RequestHandler {
  const hits = counters.create('requests', WINDOW_MS);
  return async (request: Request, response: Response, next: NextFunction) => {
    const { identity } = request;
    const caller = identity?.ok && !routes.has(request) ? identity.value : undefined;
    const limit = Math.min(perMinute || Infinity, caller?.principal.perMinute ?? Infinity);
    if (limit === Infinity || EXEMPT.test(request.path)) return next();
    const counted = await hitAll(
      hits,
      caller ? [{ key: counterOf(caller), clients: 1 }] : networksAround(currentContext().ip),
      limit,
    );
    if (!counted) return next();
    const reset = secondsUntil(counted.resetTime, MINUTE);
    response.setHeader('RateLimit-Limit', limit);
    response.setHeader('RateLimit-Remaining', counted.remaining);
    response.setHeader('RateLimit-Reset', reset);
    if (!counted.isOver) return next();
    refusals.count('requests');
    next(new FailureException({ ...PlatformFailures.rateLimited, retryAfter: reset }));
  };
}

/** Whose requests are counted together: those of a person, or of a key and of what it replaces. */
const counterOf = ({ principal }: Caller): string => principal.countedAs ?? principal.id;

/**
 * Allows `perMinute` POST requests below /auth per minute and client address, and more for the
 * networks around it: they cost a password hash or an email.
 * @param perMinute 0: no limit
 */
export function limitAuthRate(
  perMinute: number,
  counters: RateLimitStores,
  refusals: RateLimitMetrics,
): RequestHandler {
  if (perMinute === 0) return (_request, _response, next) => next();
  const hits = counters.create('auth-requests', WINDOW_MS);
  return async (request: Request, _response: Response, next: NextFunction) => {
    if (request.method !== 'POST' || !AUTH.test(request.path)) return next();
    const counted = await hitAll(hits, networksAround(currentContext().ip), perMinute);
    if (!counted?.isOver) return next();
    refusals.count('auth');
    next(
      new FailureException({ ...PlatformFailures.rateLimited, retryAfter: secondsUntil(counted.resetTime, MINUTE) }),
    );
  };
}

/**
 * Limits the bodies with a signature that are refused, or do not arrive, to 60 per minute and
 * client address; beyond that none of its signed bodies is read. What is accepted is not limited:
 * the processor sends as many events as there are.
 */
export function limitRefusedSignatures(counters: RateLimitStores, refusals: RateLimitMetrics): RequestHandler {
  const refused = counters.create('refused-signatures', WINDOW_MS);
  return async (request: Request, response: Response, next: NextFunction) => {
    if (!SIGNED.test(request.path)) return next();
    const networks = networksAround(currentContext().ip);
    const wait = await secondsToWait(refused, networks);
    if (wait > 0) {
      refusals.count('signatures');
      return next(new FailureException({ ...PlatformFailures.rateLimited, retryAfter: wait }));
    }
    response.once('close', () => {
      const isRefused = response.statusCode >= 400 && response.statusCode < 500;
      if (isRefused || !response.writableFinished) void hitAll(refused, networks, MOST_REFUSED);
    });
    next();
  };
}

/** Seconds until a request is read; 0 if none of the networks has too many that were refused. */
async function secondsToWait(refused: Store, networks: readonly Network[]): Promise<number> {
  for (const { key, clients } of networks) {
    const known = await hitsOf(refused, key);
    if (known && known.totalHits >= MOST_REFUSED * clients) return secondsUntil(known.resetTime, MINUTE);
  }
  return 0;
}
