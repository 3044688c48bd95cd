import type Stripe from 'stripe';
import type { SeededRandom } from '../stripe/seeded-random';
import type { SeatedTenant } from './member-seed';

/** A possible next action, and how likely it is. */
export type Action = readonly [weight: number, run: () => Promise<unknown>];

/** What an action is chosen by. */
export interface Situation {
  readonly tenant: SeatedTenant;
  /** The tenant's live subscription, as it was before the round. */
  readonly live: Stripe.Subscription | undefined;
  /** Of this tenant and round, so that a choice does not depend on other tenants. */
  readonly random: SeededRandom;
}

/** One of several, at random. */
export function oneOf<T>(random: SeededRandom, values: readonly T[]): T {
  return values[Math.floor(random.next() * values.length)];
}
