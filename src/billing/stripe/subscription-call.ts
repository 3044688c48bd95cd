import type Stripe from 'stripe';
import { err, type Result } from '../../platform/result';
import { BillingFailures } from '../billing.failures';
import { isMissing } from './missing-object';
import type { StripeClient } from './stripe-client';
import type { Operation } from './stripe-response-check';

/** The result of a call about a subscription that was read just before. */
export type SubscriptionResult<T = void> = Result<T, 'BILLING_UNAVAILABLE' | 'CONFLICT' | 'NO_SUBSCRIPTION'>;

/**
 * Calls Stripe about a subscription, or its schedule, that was read just before.
 * @returns also NO_SUBSCRIPTION if the subscription or its customer no longer exists, and CONFLICT
 * if its schedule or item does not: it was changed meanwhile, and may be read again
 */
export async function callAboutSubscription<T>(
  client: Pick<StripeClient, 'call'>,
  operation: Operation,
  ask: (stripe: Stripe) => Promise<T>,
): Promise<SubscriptionResult<T>> {
  let gone: ReturnType<typeof goneIn>;
  const response = await client.call(operation, (stripe) =>
    ask(stripe).catch((error: unknown) => {
      gone = goneIn(operation, error);
      if (!gone) throw error;
      return null as T;
    }),
  );
  return gone ? err(gone) : response;
}

const OWNERS = ['subscription', 'from_subscription', 'customer'];

/** Undefined also for a price: the service is set up with one that Stripe does not have. */
function goneIn(operation: Operation, error: unknown) {
  if (!isMissing(error)) return undefined;
  const { param = '' } = error;
  if (param.endsWith('price]')) return undefined;
  const isOwn = operation.startsWith('subscriptions.') && !param.includes('[');
  return isOwn || OWNERS.includes(param) ? BillingFailures.noSubscription : BillingFailures.changeInProgress;
}
