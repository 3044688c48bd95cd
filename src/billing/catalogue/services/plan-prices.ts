import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../config/settings';
import { PAID_PLANS, type PaidPlan } from '../../entitlements/domain/plan';
import type { PriceTerms, SeenPrice } from '../domain/known-price';
import type { BillingInterval } from '../domain/plan-catalogue';
import type { PriceAmounts } from '../domain/plan-price';
import { termsOfMark, type PriceMark } from '../domain/price-metadata';
import { KnownPrices } from './known-prices';

/** A price as it was read, with what it costs. */
interface ReadPrice {
  readonly mark: PriceMark;
  /** Null: it is paid once, or in another billing interval. */
  readonly interval: BillingInterval | null;
  readonly amounts: PriceAmounts;
}

/**
 * Maps Stripe prices to plans (docs/specification.md, Subscription): by the settings, by the prices
 * that were seen before, and by what the price says about itself.
 */
@Injectable()
export class PlanPrices {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly knownPrices: KnownPrices,
  ) {}

  /** The monthly price that a setting names; undefined: it is found by its lookup key. */
  setPriceOf(plan: PaidPlan): string | undefined {
    return this.settings.processor.prices[plan];
  }

  /** Undefined for an unknown price. Asks neither Stripe nor the database. */
  termsOf(mark: PriceMark): PriceTerms | undefined {
    const plan = PAID_PLANS.find((one) => this.setPriceOf(one) === mark.id);
    if (plan) return { plan, interval: 'month' };
    return this.knownPrices.termsOf(mark.id) ?? termsOfMark(mark);
  }

  /**
   * Remembers the prices of a reading that are ours, and reads what other instances remember if
   * there is one that this instance does not know.
   */
  async learn(marks: readonly PriceMark[]): Promise<void> {
    const unknown = marks.filter(({ id }) => !this.knownPrices.termsOf(id));
    if (unknown.some((mark) => !this.termsOf(mark))) await this.knownPrices.reload();
    const seen = unknown.flatMap((mark) => {
      const terms = this.termsOf(mark);
      return terms ? [seenPrice(mark, terms, null)] : [];
    });
    await this.knownPrices.remember(seen);
  }

  /** Remembers what prices cost that are ours and are paid in the interval that they stand for. */
  async learnAmounts(prices: readonly ReadPrice[]): Promise<void> {
    const seen = prices.flatMap(({ mark, interval, amounts }) => {
      const terms = this.termsOf(mark);
      return terms?.interval === interval ? [seenPrice(mark, terms, amounts)] : [];
    });
    await this.knownPrices.remember(seen);
  }
}

const seenPrice = ({ id, lookupKey }: PriceMark, terms: PriceTerms, amounts: PriceAmounts | null): SeenPrice => ({
  id,
  terms,
  lookupKey,
  amounts,
});
