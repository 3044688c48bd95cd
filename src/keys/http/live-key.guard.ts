import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { needsLiveSession } from '../../http/access/access';
import { isPerson } from '../../http/access/actor';
import { bearerIn } from '../../http/access/authenticate.middleware';
import { FailureException } from '../../http/responses/http-status';
import { KeyAuthentication } from '../services/key-authentication';

/**
 * On routes with `@LiveSession`, refuses a key that may no longer be used. One query of the
 * database, because revocations reach other instances up to a second later, which is too late for
 * actions that cannot be undone.
 */
@Injectable()
export class LiveKeyGuard implements CanActivate {
  constructor(private readonly keys: KeyAuthentication) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { identity } = request;
    if (!identity?.ok || isPerson(identity.value)) return true;
    return !needsLiveSession(context.getHandler(), context.getClass()) || this.check(request);
  }

  /** Later guards decide by the current permissions of the key. */
  private async check(request: Request): Promise<boolean> {
    const current = await this.keys.readAgain(bearerIn(request.headers.authorization)!);
    if (!current.ok) throw new FailureException(current.failure);
    request.identity = current;
    return true;
  }
}
