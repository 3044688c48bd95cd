import type { NextFunction, Request, Response } from 'express';
import { PlatformFailures } from '../../platform/platform.failures';
import { FailureException } from '../responses/http-status';

const OPEN = /^\/(metrics$|api\/v1\/health\/)/;

/** With WORKER=only the process runs jobs and serves only its health routes. */
export function serveHealthOnly(request: Request, _response: Response, next: NextFunction): void {
  next(OPEN.test(request.path) ? undefined : new FailureException(PlatformFailures.notFound));
}
