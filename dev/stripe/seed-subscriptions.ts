import { endOfPeriod } from './billing-period';
import { redeem } from './discounts';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import { newCustomer, newSubscription } from './record-defaults';
import type { SubscriptionRecord } from './records';
import type { State } from './state';

/** The fields of a seeded subscription that a caller can set. */
export type SeededSubscription = Omit<SubscriptionRecord, 'id' | 'customer' | 'latestInvoice' | 'discounts'> & {
  /** A coupon that the subscription has. */
  readonly coupon: string;
};

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
  return tenantIds.map((tenantId, index) => {
    const metadata = { tenantId };
    const { coupon, ...fields } = overrides(index);
    const { price = 'price_pro_monthly', currency = 'usd', periodStart = created } = fields;
    const customer = state.random.id('cus', 14);
    state.customers.add(newCustomer({ id: customer, created, metadata, card: 'good', currency }));
    const subscription = newSubscription({
      id: state.random.id('sub', 24),
      created,
      customer,
      price,
      status: 'active',
      anchor: periodStart,
      periodStart,
      periodEnd: endOfPeriod(periodStart, periodStart, state.priceOf({ price })),
      metadata,
      ...fields,
    });
    if (coupon !== undefined) {
      const owner = { customer, subscription: subscription.id, session: null };
      subscription.discounts = [redeem(state, { coupon, promotionCode: null }, owner).id];
    }
    state.subscriptions.add(subscription);
    lifecycle.scheduleNext(subscription, created);
    return { customerId: customer, subscriptionId: subscription.id };
  });
}
