import type { BillingInterval } from '../../catalogue/domain/plan-catalogue';
import type { PaidPlan } from '../../entitlements/domain/plan';

export const SUBSCRIPTION_STATUSES = ['Active', 'Trialing', 'PastDue', 'Canceled', 'Paused'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** A change of plan that takes effect later. */
export interface PendingChange {
  /** Null: its price belongs to no plan. */
  readonly plan: PaidPlan | null;
  readonly interval: BillingInterval | null;
  readonly at: Date;
}

/** What a coupon takes off the invoices of a subscription. */
export interface Discount {
  /** For display: `20%` or `5.00 usd`. */
  readonly text: string;
  /** Of every invoice; null: an amount, or only off one invoice. */
  readonly percent: number | null;
  /** Off every invoice, in the smallest unit of the subscription's currency; null as above. */
  readonly amount: number | null;
}

/** The state of one Stripe subscription, independent of the API version. */
export interface SubscriptionSnapshot {
  readonly subscriptionId: string;
  readonly customerId: string;
  /** Stripe's status. New values may be added at any time. */
  readonly status: string;
  /** The subscription continues, but payment collection is paused. */
  readonly isCollectionPaused: boolean;
  /** Null: its price belongs to no plan. */
  readonly plan: PaidPlan | null;
  readonly priceId: string | null;
  /** Null: the price is paid neither monthly nor yearly. */
  readonly interval: BillingInterval | null;
  /** ISO 4217 code in lower case. */
  readonly currency: string | null;
  /** The quantity; null: the price bills no seats. */
  readonly seats: number | null;
  /** Null: none; undefined: the payload does not say it. */
  readonly discount: Discount | null | undefined;
  /** The planned change of plan; null: none; undefined: the payload does not say it. */
  readonly pending: PendingChange | null | undefined;
  readonly createdAt: Date;
  readonly currentPeriodEnd: Date | null;
  /** A cancellation is scheduled: at the end of the period, or at a given time. */
  readonly isEnding: boolean;
  /** When the cancellation takes effect; null if none is scheduled or the time is unknown. */
  readonly endsAt: Date | null;
  /** When the subscription ended. */
  readonly endedAt: Date | null;
  /** The newest invoice, paid or not. */
  readonly latestInvoiceId: string | null;
  /** Whether something was due on it and is paid; null: the payload has only its id. */
  readonly isLatestInvoicePaid: boolean | null;
  readonly trialEndsAt: Date | null;
  /** The tenant id in its metadata. */
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
 * Maps Stripe's status to ours (docs/contract.md, Status mapping); undefined for an unknown one,
 * which grants and revokes nothing.
 */
export function localStatusOf(status: string, isCollectionPaused: boolean): SubscriptionStatus | undefined {
  return status === 'active' && isCollectionPaused
    ? 'Paused'
    : Object.hasOwn(LOCAL, status)
      ? LOCAL[status]
      : undefined;
}

/** The final statuses at Stripe. */
export const OVER: readonly string[] = ['canceled', 'incomplete_expired'];

/** Whether a Stripe status is final. */
export const isOver = (status: string): boolean => OVER.includes(status);

/** Whether the first invoice was never paid, so that the subscription is not served. */
export const isIncomplete = (status: string | null): boolean => status === 'incomplete';

/** Whether a subscription of this status at Stripe is neither overdue nor paused. */
export const isRunning = (status: string | null): boolean => status === 'active' || status === 'trialing';

/** The statuses at Stripe in which a change of the quantity is billed. */
const BILLED: readonly string[] = ['active', 'trialing', 'past_due'];

/** Whether Stripe bills a subscription of this status. */
export const isBilled = (status: string): boolean => BILLED.includes(status);

/** From the best status for a customer to the worst. */
const RANK = ['active', 'trialing', 'past_due', 'paused', 'unpaid', 'incomplete'];

/**
 * Chooses the tenant's subscription among those of its customer: the best live one, else the
 * newest. Subscriptions of other tenants are excluded.
 */
export function choose(tenantId: string, snapshots: readonly SubscriptionSnapshot[]): SubscriptionSnapshot | undefined {
  const own = snapshots.filter((one) => one.tenantId === null || one.tenantId === tenantId);
  const live = own.filter(({ status }) => !isOver(status));
  const newestFirst = (one: SubscriptionSnapshot, other: SubscriptionSnapshot) =>
    other.createdAt.getTime() - one.createdAt.getTime();
  const rank = ({ status }: SubscriptionSnapshot) => (RANK.includes(status) ? RANK.indexOf(status) : RANK.length);
  return live.sort((one, other) => rank(one) - rank(other) || newestFirst(one, other))[0] ?? own.sort(newestFirst)[0];
}
