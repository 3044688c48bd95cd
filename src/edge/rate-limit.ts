import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { MINUTE } from '../platform/clock';
import { PlatformFailures } from '../platform/platform.failures';
import { FailureException } from './failure-status';
import type { HitCounters } from './hit-counter';

const WINDOW_MS = MINUTE * 1000;
const IPV6_PREFIX = 64;
const EXEMPT = /^\/(metrics$|api\/v1\/(health|webhooks)(\/|$))/;

/** The client's address as limits count it: IPv6 by its /64, which one household or attacker has to itself. */
export function addressKey(ip: string | null | undefined): string {
  return ipKeyGenerator(ip ?? 'unknown', IPV6_PREFIX);
}

/**
 * At most `perMinute` requests a minute per user, else per client address; beyond it 429 RATE_LIMITED. Answers carry the RateLimit-Limit,
 * -Remaining and -Reset headers, refusals Retry-After. When the shared counter cannot be reached, nobody is refused.
 * @param perMinute 0 switches it off
 */
export function limitRate(perMinute: number, counters: HitCounters): RequestHandler {
  if (perMinute === 0) return (_request, _response, next) => next();
  return rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    standardHeaders: 'draft-6',
    legacyHeaders: false,
    passOnStoreError: true,
    store: counters.create('requests', WINDOW_MS),
    keyGenerator: (request) => (request.identity?.ok ? request.identity.value.userId : addressKey(request.ip)),
    skip: (request) => EXEMPT.test(request.path),
    handler: (_request: Request, _response: Response, next: NextFunction) => next(new FailureException(PlatformFailures.rateLimited)),
    validate: false, // its start-up advice is about settings that TRUST_PROXY and the tests cover
  });
}
