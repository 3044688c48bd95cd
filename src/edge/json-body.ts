import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { PlatformFailures } from '../platform/platform.failures';
import { FailureException } from './failure-status';

const LIMIT = '100kb';

/** Bodies are JSON of at most 100 kB; another media type is refused instead of being silently ignored. */
export function jsonBody(): RequestHandler[] {
  return [refuseOtherMediaTypes, json({ limit: LIMIT })];
}

function refuseOtherMediaTypes(request: Request, _response: Response, next: NextFunction): void {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (hasBody && !request.is('application/json')) return next(new FailureException(PlatformFailures.unsupportedMediaType));
  next();
}
