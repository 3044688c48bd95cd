import type { SnapshotFact } from './stripe-fact';
import { isOver, localStatusOf, type SubscriptionStatus } from './subscription-snapshot';

/**
 * The outcome of applying a fact from Stripe.
 * - `applied`: the subscription follows it.
 * - `stale`: something newer was already applied.
 * - `other`: it is about another subscription than the bound live one, or about an ended one.
 * - `unknown`: the Stripe status is unknown; nothing is granted or revoked.
 */
export type Outcome = 'applied' | 'stale' | 'other' | 'unknown';

/** The state of the stored subscription after the last applied fact. */
export interface LastApplied {
  readonly processorSubscriptionId: string | null;
  readonly processorStatus: string | null;
  readonly subscriptionCreatedAt: Date | null;
  readonly asOf: Date | null;
  readonly asOfReading: boolean;
}

/** The subscription of a fact, and its time at Stripe. */
export interface IncomingFact {
  readonly subscriptionId: string;
  /** Stripe timestamp of the event or the reading. */
  readonly at: Date;
  readonly createdAt: Date;
  /** Whether the fact says that the subscription has ended. */
  readonly isEnd: boolean;
  /** Whether it was read from Stripe's API, not delivered as an event. */
  readonly isReading: boolean;
}

/** Whether the bound subscription is live at Stripe, regardless of an operator's override. */
export const isLiveAtStripe = ({ processorSubscriptionId, processorStatus }: LastApplied): boolean =>
  processorSubscriptionId !== null && !isOver(processorStatus ?? '');

/**
 * Decides whether a fact may change the stored subscription (docs/contract.md, Applying events).
 */
export function precedenceOf(
  last: LastApplied,
  { subscriptionId, at, createdAt, isEnd, isReading }: IncomingFact,
): Outcome {
  if (last.asOf && at < last.asOf) return 'stale';
  // An event of the same second as a reading may be older than it. The next reading decides; an end
  // is final in any order.
  const isOfReading = last.asOf?.getTime() === at.getTime() && last.asOfReading && !isReading;
  if (isOfReading && !isEnd) return 'stale';
  const isBound = subscriptionId === last.processorSubscriptionId;
  const isLive = isLiveAtStripe(last);
  if (isBound && !isLive && !isEnd) return 'other'; // an ended subscription does not come back
  if (!isBound && isLive) return 'other';
  const isOlder = last.subscriptionCreatedAt !== null && createdAt < last.subscriptionCreatedAt;
  return !isBound && isOlder && isEnd ? 'other' : 'applied'; // of two ended ones, the newer stays bound
}

/**
 * Whether a change may be the earlier of two of one second, which may be delivered in the wrong
 * order: before it, the status was another one than the stored one; or it neither planned nor
 * withdrew a cancellation, and the stored one differs. The next reading decides.
 */
export function isEarlierChange(
  last: LastStatus & { readonly cancelAtPeriodEnd: boolean },
  { snapshot, previousStatus, keepsEnd }: Pick<SnapshotFact, 'snapshot' | 'previousStatus' | 'keepsEnd'>,
): boolean {
  const { status, isEnding } = snapshot;
  const expected = expectedStatus(last);
  const isOther = status !== expected && previousStatus !== null;
  if (isOther && previousStatus !== expected) return true;
  return keepsEnd && last.cancelAtPeriodEnd !== isEnding && !isOver(status);
}

interface LastStatus extends Pick<LastApplied, 'processorStatus'> {
  readonly status: SubscriptionStatus;
}

/** The stored status at Stripe; after a failed payment the one that usually follows. */
function expectedStatus({ status, processorStatus }: LastStatus): string | null {
  const isKnown = status !== 'PastDue' || localStatusOf(processorStatus ?? '', false) === 'PastDue';
  return isKnown ? processorStatus : 'past_due';
}
