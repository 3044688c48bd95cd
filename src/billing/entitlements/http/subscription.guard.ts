import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { PlanCache, type CurrentSubscription } from '../services/plan-cache';

declare module 'express' {
  interface Request {
    /** What the active tenant of a signed-in caller is subscribed to, at most 5 minutes old. */
    subscription?: CurrentSubscription;
  }
}

/**
 * Puts the tenant's subscription onto every authenticated request (specification, Authentication
 * 9). Refuses nobody; `@RequirePlan` does.
 */
@Injectable()
export class SubscriptionGuard implements CanActivate {
  constructor(private readonly cache: PlanCache) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const tenantId = request.identity?.ok ? request.identity.value.tenantId : null;
    if (tenantId !== null) request.subscription = await this.cache.get(tenantId);
    return true;
  }
}
