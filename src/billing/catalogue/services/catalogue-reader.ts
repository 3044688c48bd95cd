import { Injectable } from '@nestjs/common';
import { Log } from '../../../platform/observability/log';
import { ok } from '../../../platform/result';
import { PAID_PLANS } from '../../entitlements/domain/plan';
import type { StripeResult } from '../../stripe/stripe-client';
import type { StripePrice } from '../../stripe/stripe-price.mapper';
import { StripePrices } from '../../stripe/stripe-prices';
import { CATALOGUE_TAX_BEHAVIOR, PLAN_CATALOGUE } from '../domain/plan-catalogue';
import { amountsOf, type PlanPrice } from '../domain/plan-price';
import { PlanPrices } from './plan-prices';

/** A price that the catalogue has. */
interface Wanted extends Pick<PlanPrice, 'plan' | 'interval'> {
  readonly lookupKey: string;
  /** The id that a setting names instead. */
  readonly setId: string | undefined;
}

/** Reads the prices of the catalogue from Stripe, and remembers them. */
@Injectable()
export class CatalogueReader {
  /** What the catalogue says, for as long as Stripe was not read. */
  readonly unread: readonly PlanPrice[];
  private readonly wanted: readonly Wanted[];

  constructor(
    private readonly stripePrices: StripePrices,
    private readonly planPrices: PlanPrices,
    private readonly log: Log,
  ) {
    this.wanted = PAID_PLANS.flatMap((plan) =>
      PLAN_CATALOGUE[plan].prices.map(({ interval, lookupKey }) => ({
        plan,
        interval,
        lookupKey,
        setId: interval === 'month' ? planPrices.setPriceOf(plan) : undefined,
      })),
    );
    this.unread = this.wanted.map(({ plan, interval, setId }) => ({
      plan,
      interval,
      id: setId ?? null,
      amounts: amountsOf(plan, interval),
      taxBehavior: CATALOGUE_TAX_BEHAVIOR,
    }));
  }

  /** The prices that are for sale. BILLING_UNAVAILABLE. */
  async read(): Promise<StripeResult<readonly PlanPrice[]>> {
    const keys = this.wanted.flatMap(({ lookupKey, setId }) => (setId ? [] : lookupKey));
    const listed = await this.stripePrices.withLookupKeys(keys);
    if (!listed.ok) return listed;
    const found = [...listed.value];
    for (const { setId } of this.wanted) {
      const price = setId ? await this.stripePrices.get(setId) : ok(null);
      if (!price.ok) return price;
      if (price.value) found.push(price.value);
    }
    await this.remember(found);
    return ok(this.wanted.flatMap((wanted) => offerOf(wanted, found) ?? []));
  }

  /** A price that cannot be stored now is remembered by a later reading. */
  private async remember(found: readonly StripePrice[]): Promise<void> {
    try {
      await this.planPrices.learnAmounts(found);
      await this.planPrices.learn(found.map(({ mark }) => mark));
    } catch (error) {
      this.log.warn({ event: 'billing.prices_not_stored', err: error }, 'The prices at Stripe could not be stored');
    }
  }
}

/**
 * An archived price is not for sale, nor is one with another billing interval than the catalogue
 * says. The price of a setting is the operator's choice.
 */
function offerOf({ plan, interval, lookupKey, setId }: Wanted, found: readonly StripePrice[]): PlanPrice | undefined {
  const price = found.find(({ id, mark }) => (setId ? id === setId : mark.lookupKey === lookupKey));
  if (!price || (!setId && (!price.isActive || price.interval !== interval))) return undefined;
  return { plan, interval, id: price.id, amounts: price.amounts, taxBehavior: price.taxBehavior };
}
