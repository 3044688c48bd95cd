import { PAID_PLANS } from '../../entitlements/domain/plan';
import type { PriceTerms } from './known-price';
import { BILLING_INTERVALS, priceWithLookupKey } from './plan-catalogue';

/** What a price says about itself, in the payload of an event or in a reading. */
export interface PriceMark {
  readonly id: string;
  readonly lookupKey: string | null;
  /** From its metadata, which `npm run billing` writes. */
  readonly plan: string | null;
  readonly interval: string | null;
}

/** The plan of a price by its lookup key or its metadata; undefined: neither says it. */
export function termsOfMark({ lookupKey, plan, interval }: PriceMark): PriceTerms | undefined {
  const found = lookupKey === null ? undefined : priceWithLookupKey(lookupKey);
  if (found) return { plan: found.plan, interval: found.price.interval };
  const [paidPlan, period] = [
    PAID_PLANS.find((one) => one === plan),
    BILLING_INTERVALS.find((one) => one === interval),
  ];
  return paidPlan && period && { plan: paidPlan, interval: period };
}
