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
 * Whether a request is not a navigation by a user: a HEAD request, a prefetch, or a request by a
 * page, such as an image or fetch.
 */
export function isPrefetch(request: Request): boolean {
  const { method, headers } = request;
  return (
    method === 'HEAD' ||
    String(headers['sec-purpose'] ?? headers.purpose ?? '').includes('prefetch') ||
    isFetchedByPage(request)
  );
}

/** Browsers send both headers with each request; Node's fetch only sends the mode `cors`. */
function isFetchedByPage({ headers: { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } }: Request): boolean {
  if (destination !== undefined) return destination !== 'document';
  return mode !== undefined && mode !== 'navigate' && mode !== 'cors';
}

/**
 * Keeps a GET that consumes a token from doing so for prefetches (`isPrefetch`): they get 204
 * without any effect.
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
