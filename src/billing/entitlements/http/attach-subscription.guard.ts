import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { PlanCache, type CurrentSubscription } from '../services/plan-cache';

declare module 'express' {
  interface Request {
    /** The subscription of the active tenant, at most 5 minutes old. */
    subscription?: CurrentSubscription;
  }
}

/**
 * Attaches the tenant's subscription to every authenticated request (docs/specification.md,
 * Authentication). It refuses no request; `@RequirePlan` does.
 */
@Injectable()
export class AttachSubscriptionGuard implements CanActivate {
  constructor(private readonly cache: PlanCache) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const tenantId = request.identity?.ok ? request.identity.value.tenantId : null;
    if (tenantId === null) return true;
    const found = this.cache.get(tenantId);
    if (found instanceof Promise) return attach(request, found);
    request.subscription = found;
    return true;
  }
}

async function attach(request: Request, found: Promise<CurrentSubscription>): Promise<boolean> {
  request.subscription = await found;
  return true;
}
