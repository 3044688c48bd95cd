import type Stripe from 'stripe';
import type { PlanPrices } from '../catalogue/services/plan-prices';
import type { SubscriptionSnapshot } from '../subscriptions/domain/subscription-snapshot';
import type { Fields } from './stripe-fields';
import { toSnapshot } from './stripe-subscription.mapper';

/** Subscriptions as read from Stripe at a moment between two times of its clock. */
export interface Reading {
  readonly snapshots: readonly SubscriptionSnapshot[];
  /** Every change with a Stripe timestamp until then is in it. */
  readonly completeUntil: Date;
  /** When Stripe responded. No later change is in it. */
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

/** The call that a reading was made by. */
interface TimedCall {
  /** How long it took, by a clock that is never set. */
  readonly milliseconds: number;
  /** The time to use if the response has none. */
  readonly now: Date;
}

/**
 * Its time is the Date header of the response: whole seconds of Stripe's clock, like the times of
 * events. Stripe read the subscriptions at some moment of the call.
 */
export function toReading(
  { lastResponse }: Responded,
  subscriptions: readonly Stripe.Subscription[],
  prices: PlanPrices,
  { milliseconds, now }: TimedCall,
): Reading {
  const date = Date.parse(lastResponse.headers.date ?? '');
  const at = Number.isNaN(date) ? now : new Date(date);
  return {
    at,
    completeUntil: lastFullSecond(at.getTime() - milliseconds),
    snapshots: subscriptions.flatMap((subscription) => toSnapshot(subscription as unknown as Fields, prices) ?? []),
  };
}

/** A change of the running second may still follow. */
const lastFullSecond = (milliseconds: number) => new Date((Math.floor(milliseconds / 1000) - 1) * 1000);
