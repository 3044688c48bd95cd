import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { FailureException } from '../../../http/responses/http-status';
import { BillingFailures } from '../../billing.failures';
import type { RefusalDetails } from '../domain/required-plans';
import type { PlanCache, CurrentSubscription } from '../services/plan-cache';

/**
 * The base of guards that refuse with 402 PLAN_REQUIRED what the tenant's subscription does not
 * include. Before a refusal the subscription is read from the database, because the cached one may
 * be 5 minutes old.
 */
export abstract class SubscriptionGuard implements CanActivate {
  protected constructor(private readonly cache: PlanCache) {}

  /** Whether a subscription includes the route. @param route the handler of the controller */
  protected abstract includes(route: ExecutionContext, subscription: CurrentSubscription): boolean;

  /** What the refusal says of the plans that include the route. */
  protected abstract details(route: ExecutionContext): RefusalDetails;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const isIncluded = () => request.subscription !== undefined && this.includes(context, request.subscription);
    if (isIncluded()) return true;
    const tenantId = request.identity?.ok ? request.identity.value.tenantId : null;
    if (tenantId !== null) request.subscription = await this.cache.reload(tenantId);
    if (isIncluded()) return true;
    throw new FailureException({ ...BillingFailures.planRequired, details: this.details(context) });
  }
}
