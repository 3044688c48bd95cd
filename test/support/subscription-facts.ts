import type { BillingNotice } from '../../src/billing/subscriptions/domain/billing-notice';
import type { CheckoutFact, PaymentFact, SnapshotFact } from '../../src/billing/subscriptions/domain/stripe-fact';
import { Subscription } from '../../src/billing/subscriptions/domain/subscription';
import type { SubscriptionSnapshot } from '../../src/billing/subscriptions/domain/subscription-snapshot';

/** Facts and subscriptions for unit specs. A spec names only the values that matter to it. */

export const at = (second: number) => new Date(second * 1000);
export const kindsOf = (notices: readonly BillingNotice[]) =>
  notices.map((notice) => ('hasEnded' in notice && notice.hasEnded ? 'ended' : notice.kind));

export function snapshot(values: Partial<SubscriptionSnapshot> = {}): SubscriptionSnapshot {
  return {
    subscriptionId: 'sub_1',
    customerId: 'cus_1',
    status: 'active',
    isCollectionPaused: false,
    plan: 'Pro',
    priceId: 'price_pro',
    interval: 'month',
    currency: 'usd',
    seats: null,
    discount: null,
    pending: null,
    createdAt: at(1),
    currentPeriodEnd: at(1000),
    isEnding: false,
    endsAt: null,
    endedAt: null,
    latestInvoiceId: null,
    isLatestInvoicePaid: null,
    trialEndsAt: null,
    tenantId: 'tenant',
    ...values,
  };
}
export const fact = (values: Partial<SubscriptionSnapshot> = {}, rest: Partial<SnapshotFact> = {}): SnapshotFact => ({
  kind: 'snapshot',
  snapshot: snapshot(values),
  previousStatus: null,
  keepsEnd: false,
  isTrialEnding: false,
  ...rest,
});
export const checkout = (values: Partial<CheckoutFact> = {}): CheckoutFact => ({
  kind: 'checkout-completed',
  subscriptionId: 'sub_1',
  customerId: 'cus_1',
  plan: 'Pro',
  currency: 'usd',
  isTrialing: false,
  trialDays: null,
  isPaid: true,
  ...values,
});
export const payment = (
  kind: PaymentFact['kind'],
  id = 'in_1',
  createdAt = at(10),
  subscriptionId = 'sub_1',
  rest: Partial<PaymentFact> = {},
): PaymentFact => ({
  kind,
  subscriptionId,
  invoice: { id, createdAt },
  isPaid: true,
  isRetry: false,
  ...rest,
});

export const free = () => Subscription.free('tenant', at(0));
/** A subscription to Pro that was applied as of second 10. */
export function subscribed(values: Partial<SubscriptionSnapshot> = {}): Subscription {
  const subscription = free();
  subscription.apply(fact(values), at(10));
  subscription.pullNotices();
  return subscription.trackChanges();
}
