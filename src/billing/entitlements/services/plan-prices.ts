import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../config/settings';
import { PAID_PLANS, type PaidPlan } from '../domain/plan';

/** Maps Stripe prices to plans (docs/specification.md, Subscription). */
@Injectable()
export class PlanPrices {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Undefined: this deployment does not offer the plan. */
  priceOf(plan: PaidPlan): string | undefined {
    return this.settings.processor.prices[plan];
  }

  /** Null for a price that is not configured. */
  planOf(priceId: string): PaidPlan | null {
    return PAID_PLANS.find((plan) => this.priceOf(plan) === priceId) ?? null;
  }
}
