import type { BillingInterval } from '../../catalogue/domain/plan-catalogue';
import type { Plan } from '../../entitlements/domain/plan';
import type { Subscription } from '../domain/subscription';
import type { SubscriptionStatus } from '../domain/subscription-snapshot';

/**
 * A tenant's subscription as callers see it (docs/specification.md, Subscription). Times are ISO
 * 8601 strings, so that the object can be cached without conversion.
 */
export interface SubscriptionDetails {
  readonly tenantId: string;
  readonly processorCustomerId: string | null;
  readonly processorSubscriptionId: string | null;
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
  readonly currentPeriodEnd: string | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly trialEndsAt: string | null;
  readonly interval: BillingInterval | null;
  readonly currency: string | null;
  readonly seats: number | null;
  readonly discount: string | null;
  readonly pendingChange: PendingChangeDetails | null;
  readonly updatedAt: string | null;
}

/** A change of plan that takes effect later. */
export interface PendingChangeDetails {
  /** Null: a plan that this service does not know. */
  readonly plan: Plan | null;
  readonly interval: BillingInterval | null;
  readonly at: string;
}

/**
 * @param subscription undefined: the tenant was never a Stripe customer and is on Free
 * (docs/contract.md, Billing)
 */
export function detailsOf(tenantId: string, subscription: Subscription | undefined): SubscriptionDetails {
  return {
    tenantId,
    processorCustomerId: subscription?.processorCustomerId ?? null,
    processorSubscriptionId: subscription?.processorSubscriptionId ?? null,
    plan: subscription?.plan ?? 'Free',
    status: subscription?.status ?? 'Active',
    currentPeriodEnd: textOf(subscription?.currentPeriodEnd),
    cancelAtPeriodEnd: subscription?.cancelAtPeriodEnd ?? false,
    trialEndsAt: textOf(subscription?.trialEndsAt),
    interval: subscription?.interval ?? null,
    currency: subscription?.currency ?? null,
    seats: subscription?.seats ?? null,
    discount: subscription?.discount ?? null,
    pendingChange: subscription ? pendingChangeOf(subscription) : null,
    updatedAt: textOf(subscription?.updatedAt),
  };
}

function pendingChangeOf({ pendingPlan, pendingInterval, pendingAt }: Subscription): PendingChangeDetails | null {
  return pendingAt && { plan: pendingPlan, interval: pendingInterval, at: pendingAt.toISOString() };
}

const textOf = (moment: Date | null | undefined) => moment?.toISOString() ?? null;
