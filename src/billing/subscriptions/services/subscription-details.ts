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
  readonly updatedAt: string | null;
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
    updatedAt: textOf(subscription?.updatedAt),
  };
}

const textOf = (moment: Date | null | undefined) => moment?.toISOString() ?? null;
