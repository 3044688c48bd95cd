import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../config/settings';
import { PAID_PLANS, type PaidPlan } from '../domain/plan';

/** Which price at the processor is which plan (specification, Subscription). */
@Injectable()
export class PlanPrices {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Undefined: nobody can subscribe to it here. */
  priceOf(plan: PaidPlan): string | undefined {
    return this.settings.processor.prices[plan];
  }

  /** Null for a price that no setting names. */
  planOf(priceId: string): PaidPlan | null {
    return PAID_PLANS.find((plan) => this.priceOf(plan) === priceId) ?? null;
  }
}
