import type { Subscription } from '../../subscriptions/domain/subscription';

/** How a subscription counts: to the revenue, or as a trial. */
export type RevenueStatus = 'active' | 'pastDue' | 'trialing';

const COUNTED: Readonly<Partial<Record<Subscription['status'], RevenueStatus>>> = {
  Active: 'active',
  PastDue: 'pastDue',
  Trialing: 'trialing',
};

/** The columns that decide it. */
export type StatusColumns = Pick<Subscription, 'processorSubscriptionId' | 'status' | 'processorStatus'>;

/**
 * How a subscription counts (docs/contract.md, Revenue). Null: not at all, because it is canceled
 * or paused, was never paid, or is not Stripe's.
 */
export function revenueStatusOf(subscription: StatusColumns): RevenueStatus | null {
  const { processorSubscriptionId, status, processorStatus } = subscription;
  if (processorSubscriptionId === null || processorStatus === 'incomplete') return null;
  return COUNTED[status] ?? null;
}

/** Whether it counts to the revenue. */
export const isPaying = (status: RevenueStatus | null): boolean => status === 'active' || status === 'pastDue';
