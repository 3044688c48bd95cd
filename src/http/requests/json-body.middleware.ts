import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import type { PublicRoutes } from '../access/public-routes';
import { FailureException } from '../responses/http-status';
import { hasBody, type BodyReader } from './body-reader';
import { exceedsLimits, loneSurrogateIn, MAX_DEPTH, MAX_ITEMS } from './json-limits';

/** Routes that are open to everyone accept smaller bodies. */
const OPEN_TO_ANYONE = /^\/api\/v1\/(auth|users|invitations)(\/|$)/;
const SMALL = '16kb';
/** The most bytes of a body with a valid token. */
export const MAX_BODY_BYTES = 100 * 1024;
/**
 * Milliseconds by which the refusal of a body is delayed: a client that sends one after the other
 * mostly waits, and others are served.
 */
const PAUSE_MS = 20;

/**
 * Parses JSON bodies in UTF-8 of at most 16 kB on public routes, else 100 kB, and refuses other
 * media types. The limits are checked before parsing (docs/contract.md, Request bodies); a refusal
 * is delayed. Without a valid token only bodies for public routes are read.
 */
export function parseJsonBody(bodies: BodyReader, routes: PublicRoutes): RequestHandler {
  const small = json({ limit: SMALL, verify: checkBytes });
  const large = json({ limit: MAX_BODY_BYTES, verify: checkBytes });
  return (request: Request, response: Response, next: NextFunction) => {
    if (!hasBody(request) || Buffer.isBuffer(request.body)) return next(); // no body, or already read
    if (request.method === 'GET' || request.method === 'HEAD') return next(); // which have none (RFC 9110 section 9.3)
    if (!request.identity?.ok && !routes.has(request)) return next(); // refused, or not found
    if (!request.is('application/json')) return next(new FailureException(PlatformFailures.unsupportedMediaType));
    const parse = OPEN_TO_ANYONE.test(request.path) ? small : large;
    const parsed: NextFunction = (error?: unknown) => {
      if (error === undefined) next(problemOf(request));
      else setTimeout(() => next(error), PAUSE_MS);
    };
    bodies.read(parse, request, response, parsed);
  };
}

/** The parser's own errors stay as they are; an error thrown here becomes the response. */
function checkBytes(_request: unknown, _response: unknown, bytes: Buffer, charset: string): void {
  if (charset !== 'utf-8') throw new FailureException(PlatformFailures.unsupportedMediaType);
  if (exceedsLimits(bytes)) throw new FailureException(TOO_MUCH);
}

const TOO_MUCH = invalid({
  body: [`must not have more than ${MAX_ITEMS} properties and items, nor be nested deeper than ${MAX_DEPTH}`],
});

/** UTF-8 cannot encode a lone surrogate, but an escape such as \\ud800 can. */
function problemOf({ body }: Request): FailureException | undefined {
  const place = loneSurrogateIn(body);
  return place === undefined ? undefined : new FailureException(invalid({ [place]: ['must be well-formed Unicode'] }));
}
