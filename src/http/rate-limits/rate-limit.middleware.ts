import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { addressKey } from '../../platform/client-address';
import { MINUTE, secondsUntil } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { currentContext } from '../../platform/observability/request-context';
import { FailureException } from '../responses/http-status';
import { hit, type RateLimitStores } from './rate-limit-stores';
import type { Caller } from '../access/actor';
import type { PublicRoutes } from '../access/public-routes';
import type { RateLimitMetrics } from './rate-limit-metrics';

const WINDOW_MS = MINUTE * 1000;
const EXEMPT = /^\/(metrics$|api\/v1\/(health|webhooks)(\/|$))/;
const AUTH = /^\/api\/v1\/auth\//;

/**
 * Allows `perMinute` requests per minute and user or key, or per client address without a token;
 * beyond that 429 RATE_LIMITED. A key may have a lower limit of its own. Public routes count by
 * address even with a token, because an account costs nothing. Responses carry RateLimit-Limit,
 * -Remaining and -Reset (seconds), refusals also Retry-After. When the shared counter is
 * unreachable, no request is refused. The counters are express-rate-limit's; its middleware would
 * take a tenth of the time of a small request.
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
    const key = caller ? counterOf(caller) : addressKey(currentContext().ip);
    const counted = await hit(hits, key);
    if (!counted) return next();
    const reset = secondsUntil(counted.resetTime, MINUTE);
    response.setHeader('RateLimit-Limit', limit);
    response.setHeader('RateLimit-Remaining', Math.max(0, limit - counted.totalHits));
    response.setHeader('RateLimit-Reset', reset);
    if (counted.totalHits <= limit) return next();
    refusals.count('requests');
    next(new FailureException({ ...PlatformFailures.rateLimited, retryAfter: reset }));
  };
}

/** Whose requests are counted together: those of a person, or of a key and of what it replaces. */
const counterOf = ({ principal }: Caller): string => principal.countedAs ?? principal.id;

/**
 * Allows `perMinute` POST requests below /auth per minute and client address: they cost a password
 * hash or an email.
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
    const counted = await hit(hits, addressKey(currentContext().ip));
    if (!counted || counted.totalHits <= perMinute) return next();
    refusals.count('auth');
    next(
      new FailureException({ ...PlatformFailures.rateLimited, retryAfter: secondsUntil(counted.resetTime, MINUTE) }),
    );
  };
}
