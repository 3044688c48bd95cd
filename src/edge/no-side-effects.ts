import { Injectable, UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { of } from 'rxjs';

/** Whether nobody is there yet to see the answer: a HEAD, or a browser that fetches ahead. */
export function isOnlyLooking({ method, headers }: Request): boolean {
  return method === 'HEAD' || String(headers['sec-purpose'] ?? headers.purpose ?? '').includes('prefetch');
}

/** A GET that uses something up must not do so for a HEAD, or for a browser that only fetches ahead: they get 204 and nothing happens. */
@Injectable()
class LookingIsFree implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    if (!isOnlyLooking(context.switchToHttp().getRequest<Request>())) return next.handle();
    context.switchToHttp().getResponse<Response>().status(204);
    return of(undefined);
  }
}

export const ConsumesOnGet = () => UseInterceptors(LookingIsFree);
