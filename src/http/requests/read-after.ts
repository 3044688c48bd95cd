import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { concatMap } from 'rxjs';
import { Database } from '../../platform/database/database';
import { isPosition, WritePosition } from '../../platform/database/write-position';
import { currentContext, withRequestContext } from '../../platform/observability/request-context';

/** Of a response: the position of a write. Of a request: the position that must be visible. */
export const READ_AFTER = 'X-Read-After' as const;

const READS = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a request only reads. */
export const isRead = ({ method }: Pick<Request, 'method'>): boolean => READS.includes(method);

/**
 * Reads the position that a client wants to see from its request, and records the position of what
 * a command writes. Only with a replica. A malformed position is ignored.
 */
export function trackWrites(): RequestHandler {
  return (request, _response, next) => {
    const readAfter = request.get(READ_AFTER);
    const tracked = isRead(request)
      ? { readAfter: isPosition(readAfter) ? readAfter : undefined }
      : { written: new WritePosition() };
    withRequestContext({ ...currentContext(), ...tracked }, next);
  };
}

/** Adds the position of what a command has written to its response. Only with a replica. */
@Injectable()
export class ReadAfterInterceptor implements NestInterceptor {
  constructor(private readonly database: Database) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>) {
    const { written } = currentContext();
    if (!written) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      concatMap(async (outcome) => {
        const position = await this.database.latest(written);
        if (position !== undefined && !response.headersSent) response.setHeader(READ_AFTER, position);
        return outcome;
      }),
    );
  }
}
