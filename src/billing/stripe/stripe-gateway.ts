import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { ok, type Result } from '../../platform/result';
import { TRIAL_DAYS, type PaidPlan } from '../entitlements/domain/plan';
import type { SubscriptionSnapshot } from '../subscriptions/domain/subscription-snapshot';
import { PlanPrices } from '../entitlements/services/plan-prices';
import type { Fields } from './json-fields';
import { StripeClient } from './stripe-client';
import { toSnapshot } from './stripe-subscription.mapper';

/** As many as the processor gives at once. */
const PAGE = 100;

/** Subscriptions as they were at a moment of the processor's clock. */
export interface Reading {
  readonly snapshots: readonly SubscriptionSnapshot[];
  readonly at: Date;
}

/** One page of all subscriptions, newest first. */
export interface SubscriptionPage extends Reading {
  /** Where the next one begins; null after the last. */
  readonly cursor: string | null;
}

/** A checkout that waits for its customer. */
export interface OpenCheckout {
  readonly id: string;
  readonly url: string;
  /** What it sells, as `offerOf` writes it. */
  readonly offer: string | undefined;
}

/** What a checkout is to sell, and to whom. */
export interface CheckoutOrder {
  readonly tenantId: string;
  readonly customerId: string;
  readonly plan: PaidPlan;
  readonly priceId: string;
  readonly hasTrial: boolean;
}

/** What a checkout sells: one for another plan, price or trial is another one. */
export const offerOf = ({ plan, priceId, hasTrial }: CheckoutOrder): string =>
  `${plan} ${priceId} ${hasTrial ? TRIAL_DAYS : 0}`;

/** The processor in our words (specification, Billing). Every answer may be BILLING_UNAVAILABLE. */
@Injectable()
export class StripeGateway {
  private readonly billingUrl: string;

  constructor(
    private readonly stripeClient: StripeClient,
    private readonly prices: PlanPrices,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.billingUrl = `${settings.frontendUrl}/billing`;
  }

  get isSetUp(): boolean {
    return this.stripeClient.isSetUp;
  }

  /**
   * The customer that was made for a tenant before, if a search knows it: that takes a minute from
   * its making, and is not to be had everywhere.
   * @param except one that is not wanted any more
   */
  async findCustomer(tenantId: string, except: string | null): Promise<Result<string | null>> {
    const query = `metadata['tenantId']:'${tenantId}'`;
    const found = await this.stripeClient.call('customers.search', (stripe) =>
      stripe.customers.search({ query, limit: 2 }).catch(noneIfRefused),
    );
    return found.ok ? ok(found.value?.data.find(({ id }) => id !== except)?.id ?? null) : found;
  }

  /**
   * The customer that a tenant is: for a day one, however often and at once this is asked, because
   * the parameters and the key never change.
   * @param after the one before it, which was deleted over there
   */
  async createCustomer(tenantId: string, after: string | null): Promise<Result<string>> {
    const idempotencyKey = `tenant-${tenantId}-customer${after ? `-after-${after}` : ''}`;
    const made = await this.stripeClient.call('customers.create', (stripe) =>
      stripe.customers.create({ metadata: { tenantId } }, { idempotencyKey }),
    );
    return made.ok ? ok(made.value.id) : made;
  }

  /**
   * Tells the processor whom its receipts are for; nothing where it does not know the customer any
   * more.
   */
  async describeCustomer(customerId: string, who: { readonly name: string; readonly email: string }): Promise<Result> {
    const told = await this.stripeClient.call('customers.update', (stripe) =>
      stripe.customers.update(customerId, who).catch(noneIfMissing()),
    );
    return told.ok ? ok() : told;
  }

  /** All subscriptions of a customer, ended ones too. */
  async subscriptionsOf(customerId: string): Promise<Result<Reading>> {
    const list = await this.stripeClient.call('subscriptions.list', (stripe) =>
      stripe.subscriptions.list({ customer: customerId, status: 'all', limit: PAGE }),
    );
    return list.ok ? ok(this.readingOf(list.value, list.value.data)) : list;
  }

  /** One subscription; none where the processor does not know it. */
  async subscription(id: string): Promise<Result<Reading>> {
    const found = await this.stripeClient.call('subscriptions.retrieve', (stripe) =>
      stripe.subscriptions.retrieve(id).catch(noneIfMissing()),
    );
    if (!found.ok) return found;
    return ok(found.value ? this.readingOf(found.value, [found.value]) : { snapshots: [], at: this.clock.now() });
  }

  /**
   * A page of everybody's subscriptions, ended ones too.
   * @param after the cursor of the page before; one that the processor does not know begins anew
   */
  async page(after: string | null): Promise<Result<SubscriptionPage>> {
    const list = await this.stripeClient.call('subscriptions.page', (stripe) => {
      const all = { status: 'all', limit: PAGE } as const;
      return after
        ? stripe.subscriptions.list({ ...all, starting_after: after }).catch(noneIfMissing('starting_after'))
        : stripe.subscriptions.list(all);
    });
    if (!list.ok) return list;
    if (!list.value) return this.page(null);
    const { data, has_more } = list.value;
    return ok({ ...this.readingOf(list.value, data), cursor: has_more ? (data.at(-1)?.id ?? null) : null });
  }

  /** The checkouts of a customer that we have begun, and that are neither completed nor expired. */
  async openCheckouts(customerId: string): Promise<Result<OpenCheckout[]>> {
    const list = await this.stripeClient.call('checkout.sessions.list', (stripe) =>
      stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: PAGE }),
    );
    if (!list.ok) return list;
    return ok(
      list.value.data.flatMap(({ id, url, metadata }) =>
        url && metadata?.tenantId ? [{ id, url, offer: metadata.offer }] : [],
      ),
    );
  }

  async expireCheckout(id: string): Promise<Result> {
    const expired = await this.stripeClient.call('checkout.sessions.expire', (stripe) =>
      stripe.checkout.sessions.expire(id),
    );
    return expired.ok ? ok() : expired;
  }

  /**
   * @returns the address of the page where the customer pays; null where there is no such customer
   * (any more)
   */
  async createCheckout(order: CheckoutOrder): Promise<Result<string | null>> {
    const made = await this.stripeClient.call('checkout.sessions.create', (stripe) =>
      stripe.checkout.sessions.create(this.sessionFor(order)).catch(noneIfMissing('customer')),
    );
    return made.ok ? ok(made.value && made.value.url) : made;
  }

  /** Ends a subscription at once. */
  async cancel(subscriptionId: string): Promise<Result> {
    const canceled = await this.stripeClient.call('subscriptions.cancel', (stripe) =>
      stripe.subscriptions.cancel(subscriptionId).catch(noneIfMissing()),
    );
    return canceled.ok ? ok() : canceled;
  }

  /** @returns the address of the page where the customer manages the subscription */
  async createPortal(customerId: string): Promise<Result<string>> {
    const made = await this.stripeClient.call('billingPortal.sessions.create', (stripe) =>
      stripe.billingPortal.sessions.create({ customer: customerId, return_url: this.billingUrl }),
    );
    return made.ok ? ok(made.value.url) : made;
  }

  private sessionFor(order: CheckoutOrder): Stripe.Checkout.SessionCreateParams {
    const { tenantId, customerId, plan, priceId, hasTrial } = order;
    return {
      mode: 'subscription',
      customer: customerId,
      client_reference_id: tenantId,
      line_items: [{ price: priceId, quantity: 1 }],
      metadata: { tenantId, plan, offer: offerOf(order) },
      subscription_data: { metadata: { tenantId }, ...(hasTrial ? { trial_period_days: TRIAL_DAYS } : {}) },
      success_url: `${this.billingUrl}?success=true`,
      cancel_url: this.billingUrl,
    };
  }

  /**
   * What the processor's own clock said, in whole seconds, so that it can be compared with its
   * events.
   */
  private readingOf(
    { lastResponse }: { lastResponse: { headers: Record<string, string> } },
    subscriptions: readonly Stripe.Subscription[],
  ): Reading {
    const date = Date.parse(lastResponse.headers.date ?? '');
    const at = Number.isNaN(date) ? this.clock.now() : new Date(date);
    return {
      at,
      snapshots: subscriptions.flatMap(
        (subscription) => toSnapshot(subscription as unknown as Fields, this.prices) ?? [],
      ),
    };
  }
}

/** Null where the question itself is refused. */
function noneIfRefused(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
  throw error;
}

/**
 * Null for what the processor does not know.
 * @param parameter what was named and is not there; without it, what was asked for itself
 */
function noneIfMissing(parameter?: string): (error: unknown) => null {
  return (error) => {
    const isMissing = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
    if (isMissing && (parameter === undefined || error.param === parameter)) return null;
    throw error;
  };
}
