import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import { FailureException } from '../responses/http-status';
import { exceedsLimits, loneSurrogateIn, MAX_DEPTH, MAX_ITEMS } from './json-limits';

/** Where anybody may send a body: it is small, and so is what it may cost. */
const OPEN_TO_ANYONE = /^\/api\/v1\/(auth|users|invitations)(\/|$)/;
const SMALL = '16kb';
const LARGE = '100kb';
/**
 * How long the refusal of a body is put off: who sends one after the other waits for most of the
 * time, and others are served.
 */
const PAUSE_MS = 20;

/**
 * Bodies are JSON in UTF-8 of at most 16 kB where anybody may send one, else 100 kB; another media
 * type is refused instead of being silently ignored. Their bounds are looked at before they are
 * parsed (docs/contract.md, Request bodies); a body that is refused is so after a pause.
 */
export function parseJsonBody(): RequestHandler {
  const [small, large] = [json({ limit: SMALL, verify: checkBytes }), json({ limit: LARGE, verify: checkBytes })];
  return (request: Request, response: Response, next: NextFunction) => {
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
    if (!hasBody || Buffer.isBuffer(request.body)) return next(); // nothing to read, or read as it came before
    if (!request.is('application/json')) return next(new FailureException(PlatformFailures.unsupportedMediaType));
    const parse = OPEN_TO_ANYONE.test(request.path) ? small : large;
    return parse(request, response, (error?: unknown) => {
      if (error === undefined) next(problemOf(request));
      else setTimeout(() => next(error), PAUSE_MS);
    });
  };
}

/** The parser's own errors are left alone; what is thrown here becomes the answer. */
function checkBytes(_request: unknown, _response: unknown, bytes: Buffer, charset: string): void {
  if (charset !== 'utf-8') throw new FailureException(PlatformFailures.unsupportedMediaType);
  if (exceedsLimits(bytes)) throw new FailureException(TOO_MUCH);
}

const TOO_MUCH = invalid({
  body: [`must not have more than ${MAX_ITEMS} properties and items, nor be nested deeper than ${MAX_DEPTH}`],
});

/** Bytes in UTF-8 cannot hold half of a surrogate pair, but an escape such as \\ud800 can. */
function problemOf({ body }: Request): FailureException | undefined {
  const place = loneSurrogateIn(body);
  return place === undefined ? undefined : new FailureException(invalid({ [place]: ['must be well-formed Unicode'] }));
}
