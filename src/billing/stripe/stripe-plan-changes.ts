import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { err, ok, type Err } from '../../platform/result';
import { BillingFailures } from '../billing.failures';
import { CHANGE_PRORATION } from '../catalogue/domain/plan-catalogue';
import { nullIfDeclined } from './declined-payment';
import { nullIfMissing } from './missing-object';
import { StripeClient, type StripeResult } from './stripe-client';
import { callAboutSubscription, type SubscriptionResult } from './subscription-call';

/** The item of a subscription, and what is planned for it. */
export interface ChangeableSubscription {
  readonly id: string;
  readonly itemId: string;
  readonly priceId: string;
  readonly customerId: string;
  readonly currency: string;
  readonly isTrialing: boolean;
  /** When the trial ends or has ended, in seconds; null: there was none. */
  readonly trialEnd: number | null;
  /** Whether it waits for a payment method, for example after a trial without a card. */
  readonly isPaused: boolean;
  /** Null: none is attached. */
  readonly scheduleId: string | null;
  /** How a cancellation is planned; null: none is. */
  readonly cancellation: 'period-end' | 'date' | null;
  /** When it is planned for a date, in seconds. */
  readonly cancelAt: number | null;
  /** Whether it ends with the current period, or before. */
  readonly endsWithPeriod: boolean;
  /** When the current period ends, in seconds. */
  readonly periodEnd: number;
}

/** The item that a subscription gets. */
export interface NewItem {
  readonly priceId: string;
  readonly quantity: number;
}

/**
 * Changes Stripe's subscriptions at once (docs/contract.md, Changing the plan). Every call may
 * return BILLING_UNAVAILABLE, and every change NO_SUBSCRIPTION or CONFLICT if the subscription is
 * gone. The keys make repeated calls one.
 */
@Injectable()
export class StripePlanChanges {
  constructor(private readonly stripeClient: StripeClient) {}

  /**
   * Undefined: Stripe does not know it, or it has no item.
   * @param priceId the price of the plan: there may be other items beside it
   */
  async find(id: string, priceId: string | null): Promise<StripeResult<ChangeableSubscription | undefined>> {
    const found = await this.stripeClient.call('subscriptions.retrieve', (stripe) =>
      stripe.subscriptions.retrieve(id).catch(nullIfMissing()),
    );
    return found.ok ? ok(found.value ? changeable(found.value, priceId) : undefined) : found;
  }

  /**
   * Changes the item, and withdraws a planned cancellation; a schedule stays. PAYMENT_FAILED if it
   * is to be paid now and cannot be; then nothing has changed.
   */
  async change(
    subscription: ChangeableSubscription,
    { priceId, quantity }: NewItem,
    key: string,
  ): Promise<SubscriptionResult | Err<'PAYMENT_FAILED'>> {
    const { id, itemId, isTrialing, scheduleId } = subscription;
    const params: Stripe.SubscriptionUpdateParams = {
      items: [{ id: itemId, price: priceId, quantity }],
      proration_behavior: isTrialing ? 'none' : CHANGE_PRORATION,
      payment_behavior: 'error_if_incomplete',
      ...(scheduleId ? {} : withoutEnd(subscription)), // Stripe refuses it while there is a schedule
    };
    const changed = await callAboutSubscription(this.stripeClient, 'subscriptions.update', (stripe) =>
      stripe.subscriptions.update(id, params, { idempotencyKey: `${key}-change` }).catch(nullIfDeclined),
    );
    if (!changed.ok) return changed;
    return changed.value ? ok() : err(BillingFailures.paymentFailed);
  }

  /**
   * Ends the subscription with its current period, or at once if it is paused, because that has no
   * period; drops what is planned.
   */
  async end(subscription: ChangeableSubscription, key: string): Promise<SubscriptionResult> {
    const { id, scheduleId, isPaused } = subscription;
    const released = await this.release(scheduleId, key);
    if (!released.ok) return released;
    if (!isPaused) return this.update(id, { cancel_at_period_end: true }, `${key}-cancel`);
    const canceled = await callAboutSubscription(this.stripeClient, 'subscriptions.cancel', (stripe) =>
      stripe.subscriptions.cancel(id, undefined, { idempotencyKey: `${key}-end` }),
    );
    return canceled.ok ? ok() : canceled;
  }

  /** Plans the cancellation again that `clear` has withdrawn. */
  restoreEnd({ id, cancellation, cancelAt }: ChangeableSubscription, key: string): Promise<SubscriptionResult> {
    const end = cancellation === 'date' ? { cancel_at: cancelAt! } : { cancel_at_period_end: true };
    return this.update(id, end, `${key}-restore`);
  }

  /** Drops what is planned: the schedule is released, and the cancellation withdrawn. */
  async clear(subscription: ChangeableSubscription, key: string): Promise<SubscriptionResult> {
    const { id, scheduleId, cancellation } = subscription;
    const released = await this.release(scheduleId, key);
    if (!released.ok || !cancellation) return released;
    return this.update(id, withoutEnd({ cancellation }), `${key}-keep`);
  }

  /**
   * Ends a pause with a payment for a new period. PAYMENT_FAILED if it stays paused without one.
   */
  async unpause({ id }: ChangeableSubscription, key: string): Promise<SubscriptionResult | Err<'PAYMENT_FAILED'>> {
    const params = { payment_behavior: 'resume_on_payment_success' } as const;
    const resumed = await callAboutSubscription(this.stripeClient, 'subscriptions.resume', (stripe) =>
      stripe.subscriptions.resume(id, params, { idempotencyKey: `${key}-resume` }).catch(nullIfDeclined),
    );
    if (!resumed.ok) return resumed;
    return resumed.value && resumed.value.status !== 'paused' ? ok() : err(BillingFailures.paymentFailed);
  }

  /** One that no longer exists plans nothing. */
  private async release(scheduleId: string | null, key: string): Promise<StripeResult> {
    if (!scheduleId) return ok();
    const released = await this.stripeClient.call('subscriptionSchedules.release', (stripe) =>
      stripe.subscriptionSchedules
        .release(scheduleId, undefined, { idempotencyKey: `${key}-release` })
        .catch(nullIfMissing()),
    );
    return released.ok ? ok() : released;
  }

  private async update(id: string, params: Stripe.SubscriptionUpdateParams, key: string): Promise<SubscriptionResult> {
    const updated = await callAboutSubscription(this.stripeClient, 'subscriptions.update', (stripe) =>
      stripe.subscriptions.update(id, params, { idempotencyKey: key }),
    );
    return updated.ok ? ok() : updated;
  }
}

/** What withdraws the planned cancellation of a subscription, if there is one. */
export function withoutEnd({ cancellation }: Pick<ChangeableSubscription, 'cancellation'>) {
  if (cancellation === 'date') return { cancel_at: '' as const };
  return cancellation ? { cancel_at_period_end: false } : {};
}

function changeable(subscription: Stripe.Subscription, priceId: string | null): ChangeableSubscription | undefined {
  const { id, customer, currency, status, schedule, cancel_at, cancel_at_period_end, trial_end, items } = subscription;
  const item = items.data.find(({ price }) => price.id === priceId) ?? items.data[0];
  if (!item) return undefined;
  const { current_period_end: periodEnd } = item;
  return {
    id,
    itemId: item.id,
    priceId: item.price.id,
    customerId: typeof customer === 'string' ? customer : customer.id,
    currency,
    isTrialing: status === 'trialing',
    trialEnd: trial_end,
    isPaused: status === 'paused',
    scheduleId: (typeof schedule === 'string' ? schedule : schedule?.id) ?? null,
    cancellation: cancel_at_period_end ? 'period-end' : cancel_at ? 'date' : null,
    cancelAt: cancel_at,
    endsWithPeriod: cancel_at_period_end || (cancel_at !== null && cancel_at <= periodEnd),
    periodEnd,
  };
}
