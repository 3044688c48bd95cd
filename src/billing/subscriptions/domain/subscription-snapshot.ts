import type { PaidPlan } from '../../entitlements/domain/plan';

export const SUBSCRIPTION_STATUSES = ['Active', 'Trialing', 'PastDue', 'Canceled', 'Paused'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** What the processor says of one subscription, in whatever version of its API it said it. */
export interface SubscriptionSnapshot {
  readonly subscriptionId: string;
  readonly customerId: string;
  /** The processor's own word; the list of them is open. */
  readonly status: string;
  /** It runs on, but nothing is collected for a while. */
  readonly isCollectionPaused: boolean;
  /** Null: a price that no setting names. */
  readonly plan: PaidPlan | null;
  readonly createdAt: Date;
  readonly currentPeriodEnd: Date | null;
  /** It will end by itself: at the end of the period, or at a given moment. */
  readonly isEnding: boolean;
  /** When it will; null: it will not, or nobody says when. */
  readonly endsAt: Date | null;
  /** When it did. */
  readonly endedAt: Date | null;
  /** Its newest invoice, paid or not. */
  readonly latestInvoiceId: string | null;
  readonly trialEndsAt: Date | null;
  /** Whom it was made for, by what we wrote on it. */
  readonly tenantId: string | null;
}

const LOCAL: Readonly<Record<string, SubscriptionStatus>> = {
  trialing: 'Trialing',
  active: 'Active',
  past_due: 'PastDue',
  unpaid: 'PastDue',
  incomplete: 'PastDue',
  paused: 'Paused',
  canceled: 'Canceled',
  incomplete_expired: 'Canceled',
};

/**
 * Our status for the processor's (contract section 5); undefined for a word that we do not know,
 * which neither grants nor takes anything.
 */
export function localStatusOf(status: string, isCollectionPaused: boolean): SubscriptionStatus | undefined {
  return status === 'active' && isCollectionPaused
    ? 'Paused'
    : Object.hasOwn(LOCAL, status)
      ? LOCAL[status]
      : undefined;
}

/** Whether a subscription with this status of the processor will never be anything else. */
export const isOver = (status: string): boolean => status === 'canceled' || status === 'incomplete_expired';

/** From what serves a customer best to what serves them least. */
const RANK = ['active', 'trialing', 'past_due', 'paused', 'unpaid', 'incomplete'];

/**
 * Which of a customer's subscriptions is the tenant's: the best one that lives, else the newest;
 * none that was made for another tenant.
 */
export function choose(tenantId: string, states: readonly SubscriptionSnapshot[]): SubscriptionSnapshot | undefined {
  const own = states.filter((state) => state.tenantId === null || state.tenantId === tenantId);
  const live = own.filter(({ status }) => !isOver(status));
  const newestFirst = (one: SubscriptionSnapshot, other: SubscriptionSnapshot) =>
    other.createdAt.getTime() - one.createdAt.getTime();
  const rank = ({ status }: SubscriptionSnapshot) => (RANK.includes(status) ? RANK.indexOf(status) : RANK.length);
  return live.sort((one, other) => rank(one) - rank(other) || newestFirst(one, other))[0] ?? own.sort(newestFirst)[0];
}
