import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { of } from 'rxjs';

/**
 * Whether nobody is there to see the answer: a HEAD, a browser that fetches ahead, or a page that
 * fetches, as an image or by a script.
 */
export function isPrefetch(request: Request): boolean {
  const { method, headers } = request;
  return (
    method === 'HEAD' ||
    String(headers['sec-purpose'] ?? headers.purpose ?? '').includes('prefetch') ||
    isFetchedByPage(request)
  );
}

/**
 * Browsers send both headers with each request; a program that uses Node's fetch sends the mode
 * `cors` alone.
 */
function isFetchedByPage({ headers: { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } }: Request): boolean {
  if (destination !== undefined) return destination !== 'document';
  return mode !== undefined && mode !== 'navigate' && mode !== 'cors';
}

/**
 * A GET that uses something up must not do so where nobody has opened it (`isOnlyLooking`): they
 * get 204 and nothing happens.
 */
@Injectable()
class PrefetchGuard implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    if (!isPrefetch(context.switchToHttp().getRequest<Request>())) return next.handle();
    context.switchToHttp().getResponse<Response>().status(204);
    return of(undefined);
  }
}

export const GuardAgainstPrefetch = () => UseInterceptors(PrefetchGuard);
