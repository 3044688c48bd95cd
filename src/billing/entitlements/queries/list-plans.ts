import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page } from '../../../platform/pagination';
import { ok, type Result } from '../../../platform/result';
import type { PlanView } from '../../http/views/billing.views';
import { PLANS, TRIAL_DAYS, type Plan } from '../domain/plan';
import { PLAN_LIMITS } from '../domain/plan-limits';
import { PlanPrices } from '../services/plan-prices';
import { StripeClient } from '../../stripe/stripe-client';

/** Lists the plans, and whether this deployment offers them. */
export class ListPlans extends Query<Result<Page<PlanView>>> {}

@QueryHandler(ListPlans)
export class ListPlansHandler implements IQueryHandler<ListPlans> {
  constructor(
    private readonly prices: PlanPrices,
    private readonly stripeClient: StripeClient,
  ) {}

  execute(): Promise<Result<Page<PlanView>>> {
    const items = PLANS.map((name) => ({
      name,
      trialDays: name === 'Free' ? 0 : TRIAL_DAYS,
      limits: PLAN_LIMITS[name],
      available: this.isAvailable(name),
    }));
    return Promise.resolve(ok({ items, nextCursor: null }));
  }

  private isAvailable(plan: Plan): boolean {
    return plan === 'Free' || (this.stripeClient.isSetUp && this.prices.priceOf(plan) !== undefined);
  }
}
