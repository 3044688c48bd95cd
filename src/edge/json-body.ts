import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { PlatformFailures } from '../platform/platform.failures';
import { FailureException } from './failure-status';

const LIMIT = '100kb';

/** Bodies are JSON of at most 100 kB; another media type is refused instead of being silently ignored. */
export function jsonBody(): RequestHandler {
  const parse = json({ limit: LIMIT });
  return (request: Request, response: Response, next: NextFunction) => {
    const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
    if (!hasBody || Buffer.isBuffer(request.body)) return next(); // nothing to read, or read as it came before
    if (!request.is('application/json')) return next(new FailureException(PlatformFailures.unsupportedMediaType));
    return parse(request, response, next);
  };
}
