import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { Log } from '../../platform/observability/log';
import { ok } from '../../platform/result';
import { CURRENCIES, type CataloguePrice } from '../catalogue/domain/plan-catalogue';
import type { PriceTerms } from '../catalogue/domain/known-price';
import type { PaidPlan } from '../entitlements/domain/plan';
import { nullIfMissing } from './missing-object';
import { isRefusedExpansion } from './refused-expansion';
import { priceParamsOf } from './price-params';
import { StripeClient, type StripeResult } from './stripe-client';
import { toPrice, type StripePrice } from './stripe-price.mapper';

/** Stripe leaves tiers and other currencies out of a response unless they are expanded. */
const tiersIn = (currency: string) => `currency_options.${currency}.tiers`;
const EXPANDED = ['tiers', 'currency_options', ...CURRENCIES.slice(1).map(tiersIn)];
/** What is read if Stripe refuses that: the price in its own currency. */
const OWN_CURRENCY = ['tiers'];

/** Stripe's prices (docs/contract.md, Plans and prices). Calls may return BILLING_UNAVAILABLE. */
@Injectable()
export class StripePrices {
  private hasWarned = false;

  constructor(
    private readonly stripeClient: StripeClient,
    private readonly log: Log,
  ) {}

  /** The prices with these lookup keys, also inactive ones. */
  async withLookupKeys(keys: readonly string[]): Promise<StripeResult<StripePrice[]>> {
    const list = await this.stripeClient.call('prices.list', (stripe) =>
      this.expanded(EXPANDED, (fields) =>
        stripe.prices.list({ lookup_keys: [...keys], limit: 100, expand: fields.map((field) => `data.${field}`) }),
      ),
    );
    return list.ok ? ok(list.value.data.flatMap((price) => toPrice(price) ?? [])) : list;
  }

  /** Null: Stripe does not know it. The tiers of another currency are read if it has that one. */
  async get(id: string): Promise<StripeResult<StripePrice | null>> {
    const found = await this.retrieve(id, ['tiers', 'currency_options']);
    if (!found.ok || found.value?.billing_scheme !== 'tiered') return priceIn(found);
    const { currency, currency_options: options = {} } = found.value;
    const others = Object.keys(options).filter((code) => code !== currency && CURRENCIES.some((one) => one === code));
    if (others.length === 0) return priceIn(found);
    return priceIn(await this.retrieve(id, ['tiers', 'currency_options', ...others.map(tiersIn)]));
  }

  /**
   * Creates a price, which takes over the lookup key. Repeated calls create one price, because the
   * idempotency key says what is created and what is replaced.
   * @param replaced the price that has the lookup key; null: there is none
   */
  async create(
    plan: PaidPlan,
    price: CataloguePrice,
    product: string,
    replaced: string | null,
  ): Promise<StripeResult<string>> {
    const params = priceParamsOf(plan, price, product);
    const digest = createHash('sha256')
      .update(JSON.stringify([params, replaced]))
      .digest('hex')
      .slice(0, 32);
    const created = await this.stripeClient.call('prices.create', (stripe) =>
      stripe.prices.create(params, { idempotencyKey: `catalogue-${price.lookupKey}-${digest}` }),
    );
    return created.ok ? ok(created.value.id) : created;
  }

  /** Writes the plan into the metadata, so that the price is recognized without a lookup key. */
  describe(id: string, { plan, interval }: PriceTerms): Promise<StripeResult> {
    return this.update(id, { metadata: { plan, interval } });
  }

  /** Makes an archived price available again. */
  activate(id: string): Promise<StripeResult> {
    return this.update(id, { active: true });
  }

  private retrieve(id: string, fields: string[]): Promise<StripeResult<Stripe.Price | null>> {
    return this.stripeClient.call('prices.retrieve', (stripe) =>
      this.expanded(fields, (expand) => stripe.prices.retrieve(id, { expand })).catch(nullIfMissing()),
    );
  }

  /** Prices in fewer currencies are better than none, so a refused expansion is left out. */
  private expanded<T>(fields: string[], read: (fields: string[]) => Promise<T>): Promise<T> {
    return read(fields).catch((error: unknown) => {
      if (!isRefusedExpansion(error)) throw error;
      const { message: reason } = error;
      if (!this.hasWarned)
        this.log.warn({ event: 'stripe.expansion_refused', fields, reason }, 'Prices are read in their own currency');
      this.hasWarned = true;
      return read(OWN_CURRENCY);
    });
  }

  private async update(id: string, params: Stripe.PriceUpdateParams): Promise<StripeResult> {
    const updated = await this.stripeClient.call('prices.update', (stripe) => stripe.prices.update(id, params));
    return updated.ok ? ok() : updated;
  }
}

const priceIn = (found: StripeResult<Stripe.Price | null>): StripeResult<StripePrice | null> =>
  found.ok ? ok((found.value && toPrice(found.value)) ?? null) : found;
