import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job } from '../../../platform/jobs/jobs';
import { Schedule } from '../../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../../platform/result';
import { PlanPrices } from '../../catalogue/services/plan-prices';
import { StripeClient } from '../../stripe/stripe-client';
import type { StripePrice } from '../../stripe/stripe-price.mapper';
import { StripePrices } from '../../stripe/stripe-prices';
import { RevenueCounts } from '../services/revenue-counts';

/** Prices per run: more than a service has that replaced its prices now and then. */
const MOST = 20;

/**
 * Reads from Stripe what prices cost that subscriptions have and whose amounts are not known: those
 * that were replaced before amounts were stored. BILLING_UNAVAILABLE.
 */
@Job('refresh-price-amounts', 'processor')
@Schedule('47 * * * *')
export class RefreshPriceAmounts extends Command<Result<void, 'BILLING_UNAVAILABLE'>> {}

@CommandHandler(RefreshPriceAmounts)
export class RefreshPriceAmountsHandler implements ICommandHandler<RefreshPriceAmounts> {
  constructor(
    private readonly counts: RevenueCounts,
    private readonly stripeClient: StripeClient,
    private readonly stripePrices: StripePrices,
    private readonly planPrices: PlanPrices,
  ) {}

  async execute() {
    if (!this.stripeClient.isSetUp) return ok();
    const found: StripePrice[] = [];
    for (const id of (await this.counts.unknownPrices()).slice(0, MOST)) {
      const price = await this.stripePrices.get(id);
      if (!price.ok) return price;
      if (price.value) found.push(price.value);
    }
    await this.planPrices.learnAmounts(found);
    return ok();
  }
}
