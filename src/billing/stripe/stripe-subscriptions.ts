import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { Clock } from '../../platform/clock';
import { ok } from '../../platform/result';
import { PlanPrices } from '../catalogue/services/plan-prices';
import { nullIfMissing } from './missing-object';
import { StripeClient, type StripeResult } from './stripe-client';
import type { Fields } from './stripe-fields';
import { priceMarksOf } from './stripe-subscription.mapper';
import { toReading, type Reading, type SubscriptionPage } from './stripe-reading.mapper';

/** The maximum of Stripe's API. */
const PAGE = 100;
/** What readings have and events have not: the coupons of discounts, and planned changes. */
const EXPANDED = ['schedule', 'discounts.source.coupon'];
const EXPANDED_IN_LIST = EXPANDED.map((field) => `data.${field}`);
/** Readings of one customer also say whether the newest invoice is paid. */
const EXPANDED_OF_CUSTOMER = [...EXPANDED_IN_LIST, 'data.latest_invoice'];

/**
 * Stripe's subscriptions in terms of the domain (docs/specification.md, Billing). Every call may
 * return BILLING_UNAVAILABLE.
 */
@Injectable()
export class StripeSubscriptions {
  constructor(
    private readonly stripeClient: StripeClient,
    private readonly prices: PlanPrices,
    private readonly clock: Clock,
  ) {}

  /** All subscriptions of a customer, including ended ones; none if Stripe does not know it. */
  async listOfCustomer(customerId: string): Promise<StripeResult<Reading>> {
    const began = performance.now();
    const list = await this.stripeClient.call('subscriptions.list', (stripe) =>
      stripe.subscriptions
        .list({ customer: customerId, status: 'all', limit: PAGE, expand: EXPANDED_OF_CUSTOMER })
        .catch(nullIfMissing('customer')),
    );
    if (!list.ok) return list;
    return ok(list.value ? await this.readingOf(list.value, list.value.data, began) : this.nothing());
  }

  /** One subscription; an empty reading if Stripe does not know it. */
  async get(id: string): Promise<StripeResult<Reading>> {
    const began = performance.now();
    const found = await this.stripeClient.call('subscriptions.retrieve', (stripe) =>
      stripe.subscriptions.retrieve(id, { expand: EXPANDED }).catch(nullIfMissing()),
    );
    if (!found.ok) return found;
    return ok(found.value ? await this.readingOf(found.value, [found.value], began) : this.nothing());
  }

  /**
   * A page of all subscriptions, including ended ones.
   * @param after the cursor of the previous page; an unknown one starts from the first page
   */
  async listPage(after: string | null): Promise<StripeResult<SubscriptionPage>> {
    const began = performance.now();
    const list = await this.stripeClient.call('subscriptions.page', (stripe) => {
      const all = { status: 'all', limit: PAGE, expand: EXPANDED_IN_LIST } as const;
      return after
        ? stripe.subscriptions.list({ ...all, starting_after: after }).catch(nullIfMissing('starting_after'))
        : stripe.subscriptions.list(all);
    });
    if (!list.ok) return list;
    if (!list.value) return this.listPage(null);
    const { data, has_more } = list.value;
    const reading = await this.readingOf(list.value, data, began);
    return ok({ ...reading, cursor: has_more ? (data.at(-1)?.id ?? null) : null });
  }

  /** Cancels a subscription immediately. Idempotent. */
  async cancel(subscriptionId: string): Promise<StripeResult> {
    const canceled = await this.stripeClient.call('subscriptions.cancel', (stripe) =>
      stripe.subscriptions.cancel(subscriptionId).catch(nullIfMissing()),
    );
    return canceled.ok ? ok() : canceled;
  }

  private nothing(): Reading {
    const now = this.clock.now();
    return { snapshots: [], completeUntil: now, at: now };
  }

  /**
   * Remembers the prices first, so that one that another instance has seen is known, too.
   * @param began when the call began, as `performance.now()` says it
   */
  private async readingOf(
    response: Parameters<typeof toReading>[0],
    subscriptions: readonly Stripe.Subscription[],
    began: number,
  ): Promise<Reading> {
    const milliseconds = performance.now() - began;
    await this.prices.learn(subscriptions.flatMap((one) => priceMarksOf(one as unknown as Fields)));
    return toReading(response, subscriptions, this.prices, { milliseconds, now: this.clock.now() });
  }
}
