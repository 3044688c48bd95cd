import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { ok } from '../../platform/result';
import { TRIAL_DAYS, type PaidPlan } from '../entitlements/domain/plan';
import type { SubscriptionSnapshot } from '../subscriptions/domain/subscription-snapshot';
import { PlanPrices } from '../entitlements/services/plan-prices';
import type { Fields } from './stripe-fields';
import { StripeClient, type StripeResult } from './stripe-client';
import { toSnapshot } from './stripe-subscription.mapper';

/** The maximum of Stripe's API. */
const PAGE = 100;

/** Subscriptions as read from Stripe. */
export interface Reading {
  readonly snapshots: readonly SubscriptionSnapshot[];
  /** By Stripe's clock. */
  readonly at: Date;
}

/** A page of all subscriptions, newest first. */
export interface SubscriptionPage extends Reading {
  /** The start of the next page; null after the last one. */
  readonly cursor: string | null;
}

/** A checkout session that is neither completed nor expired. */
export interface OpenCheckout {
  readonly id: string;
  readonly url: string;
  /** The offer, as `offerOf` writes it. */
  readonly offer: string | undefined;
}

/** The parameters of a checkout. */
export interface CheckoutOrder {
  readonly tenantId: string;
  readonly customerId: string;
  readonly plan: PaidPlan;
  readonly priceId: string;
  readonly hasTrial: boolean;
}

/** Identifies the offer of a checkout: plan, price and trial days. */
export const offerOf = ({ plan, priceId, hasTrial }: CheckoutOrder): string =>
  `${plan} ${priceId} ${hasTrial ? TRIAL_DAYS : 0}`;

/**
 * Calls to Stripe in terms of the domain (docs/specification.md, Billing). Every call may return
 * BILLING_UNAVAILABLE.
 */
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
   * Searches the customer of a tenant. A new customer is found after about a minute, and the search
   * is not available in every region.
   * @param except a customer to skip
   */
  async findCustomer(tenantId: string, except: string | null): Promise<StripeResult<string | null>> {
    const query = `metadata['tenantId']:'${tenantId}'`;
    const found = await this.stripeClient.call('customers.search', (stripe) =>
      stripe.customers.search({ query, limit: 2 }).catch(noneIfRefused),
    );
    return found.ok ? ok(found.value?.data.find(({ id }) => id !== except)?.id ?? null) : found;
  }

  /**
   * Creates the customer of a tenant. Idempotent for a day, because parameters and key never
   * change.
   * @param after the previous customer, which was deleted at Stripe
   */
  async createCustomer(tenantId: string, after: string | null): Promise<StripeResult<string>> {
    const idempotencyKey = `tenant-${tenantId}-customer${after ? `-after-${after}` : ''}`;
    const created = await this.stripeClient.call('customers.create', (stripe) =>
      stripe.customers.create({ metadata: { tenantId } }, { idempotencyKey }),
    );
    return created.ok ? ok(created.value.id) : created;
  }

  /** Sets the name and email for receipts. Does nothing if the customer was deleted. */
  async describeCustomer(
    customerId: string,
    who: { readonly name: string; readonly email: string },
  ): Promise<StripeResult> {
    const updated = await this.stripeClient.call('customers.update', (stripe) =>
      stripe.customers.update(customerId, who).catch(noneIfMissing()),
    );
    return updated.ok ? ok() : updated;
  }

  /** All subscriptions of a customer, including ended ones. */
  async subscriptionsOf(customerId: string): Promise<StripeResult<Reading>> {
    const list = await this.stripeClient.call('subscriptions.list', (stripe) =>
      stripe.subscriptions.list({ customer: customerId, status: 'all', limit: PAGE }),
    );
    return list.ok ? ok(this.readingOf(list.value, list.value.data)) : list;
  }

  /** One subscription; an empty reading if Stripe does not know it. */
  async subscription(id: string): Promise<StripeResult<Reading>> {
    const found = await this.stripeClient.call('subscriptions.retrieve', (stripe) =>
      stripe.subscriptions.retrieve(id).catch(noneIfMissing()),
    );
    if (!found.ok) return found;
    return ok(found.value ? this.readingOf(found.value, [found.value]) : { snapshots: [], at: this.clock.now() });
  }

  /**
   * A page of all subscriptions, including ended ones.
   * @param after the cursor of the previous page; an unknown one starts from the first page
   */
  async page(after: string | null): Promise<StripeResult<SubscriptionPage>> {
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

  /** The open checkouts of a customer that this service has created. */
  async openCheckouts(customerId: string): Promise<StripeResult<OpenCheckout[]>> {
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

  async expireCheckout(id: string): Promise<StripeResult> {
    const expired = await this.stripeClient.call('checkout.sessions.expire', (stripe) =>
      stripe.checkout.sessions.expire(id),
    );
    return expired.ok ? ok() : expired;
  }

  /** @returns the URL of the payment page; null if the customer does not exist (any more) */
  async createCheckout(order: CheckoutOrder): Promise<StripeResult<string | null>> {
    const created = await this.stripeClient.call('checkout.sessions.create', (stripe) =>
      stripe.checkout.sessions.create(this.sessionFor(order)).catch(noneIfMissing('customer')),
    );
    return created.ok ? ok(created.value && created.value.url) : created;
  }

  /** Cancels a subscription immediately. Idempotent. */
  async cancel(subscriptionId: string): Promise<StripeResult> {
    const canceled = await this.stripeClient.call('subscriptions.cancel', (stripe) =>
      stripe.subscriptions.cancel(subscriptionId).catch(noneIfMissing()),
    );
    return canceled.ok ? ok() : canceled;
  }

  /** @returns the URL of the page where the customer manages the subscription */
  async createPortal(customerId: string): Promise<StripeResult<string>> {
    const created = await this.stripeClient.call('billingPortal.sessions.create', (stripe) =>
      stripe.billingPortal.sessions.create({ customer: customerId, return_url: this.billingUrl }),
    );
    return created.ok ? ok(created.value.url) : created;
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
   * Its time is the Date header of the response: whole seconds of Stripe's clock, like the times of
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

/** Null if the request is refused as invalid. */
function noneIfRefused(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
  throw error;
}

/**
 * Null if the object does not exist.
 * @param parameter the parameter that must name the missing object; without it, the requested
 * object
 */
function noneIfMissing(parameter?: string): (error: unknown) => null {
  return (error) => {
    const isMissing = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
    if (isMissing && (parameter === undefined || error.param === parameter)) return null;
    throw error;
  };
}
