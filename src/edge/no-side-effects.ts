import { Injectable, UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { of } from 'rxjs';

/** A GET that uses something up must not do so for a HEAD, or for a browser that only fetches ahead: they get 204 and nothing happens. */
@Injectable()
class LookingIsFree implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<Request>();
    const purpose = String(request.headers['sec-purpose'] ?? request.headers.purpose ?? '');
    if (request.method !== 'HEAD' && !purpose.includes('prefetch')) return next.handle();
    context.switchToHttp().getResponse<Response>().status(204);
    return of(undefined);
  }
}

export const ConsumesOnGet = () => UseInterceptors(LookingIsFree);
