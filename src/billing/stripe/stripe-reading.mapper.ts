import type Stripe from 'stripe';
import type { PlanPrices } from '../catalogue/services/plan-prices';
import type { SubscriptionSnapshot } from '../subscriptions/domain/subscription-snapshot';
import type { Fields } from './stripe-fields';
import { toSnapshot } from './stripe-subscription.mapper';

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

/** What every response of Stripe's library contains. */
interface Responded {
  readonly lastResponse: { readonly headers: Readonly<Record<string, string>> };
}

/**
 * Its time is the Date header of the response: whole seconds of Stripe's clock, like the times of
 * events.
 * @param now the time to use if the response has none
 */
export function toReading(
  { lastResponse }: Responded,
  subscriptions: readonly Stripe.Subscription[],
  prices: PlanPrices,
  now: Date,
): Reading {
  const date = Date.parse(lastResponse.headers.date ?? '');
  return {
    at: Number.isNaN(date) ? now : new Date(date),
    snapshots: subscriptions.flatMap((subscription) => toSnapshot(subscription as unknown as Fields, prices) ?? []),
  };
}
