import { endOfPeriod } from './billing-period';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import type { SubscriptionRecord } from './records';
import type { State } from './state';

/** The fields of a seeded subscription that a caller can set. */
export type SeededSubscription = Omit<SubscriptionRecord, 'id' | 'customer' | 'latestInvoice'>;

/**
 * Creates a customer with an active subscription for each tenant, without events and invoices.
 */
export function seedSubscriptions(
  state: State,
  lifecycle: SubscriptionLifecycle,
  tenantIds: readonly string[],
  overrides: (index: number) => Partial<SeededSubscription> = () => ({}),
): { customerId: string; subscriptionId: string }[] {
  const created = state.seconds();
  const periodEnd = endOfPeriod(created, created, state.prices.get('price_pro_monthly')!);
  return tenantIds.map((tenantId, index) => {
    const metadata = { tenantId };
    const customerId = state.random.id('cus', 14);
    const customer = {
      email: null,
      name: null,
      phone: null,
      description: null,
      metadata,
      card: 'good' as const,
      isDeleted: false,
    };
    state.customers.add({ id: customerId, created, ...customer });
    const subscription: SubscriptionRecord = {
      id: state.random.id('sub', 24),
      created,
      customer: customerId,
      price: 'price_pro_monthly',
      quantity: 1,
      status: 'active',
      anchor: created,
      periodStart: created,
      periodEnd,
      trialStart: null,
      trialEnd: null,
      isTrialEndAnnounced: false,
      cancelAt: null,
      isCancelAtPeriodEnd: false,
      canceledAt: null,
      endedAt: null,
      cancellationReason: null,
      pauseCollection: null,
      latestInvoice: null,
      metadata,
    };
    state.subscriptions.add(Object.assign(subscription, overrides(index)));
    lifecycle.scheduleNext(subscription, created);
    return { customerId, subscriptionId: subscription.id };
  });
}
