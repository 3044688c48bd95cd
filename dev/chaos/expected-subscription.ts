import type Stripe from 'stripe';
import type { SubscriptionRow } from './subscription-row';

type Terms = readonly [plan: string, interval: string];
const PRICES: Record<string, Terms | undefined> = {
  price_pro_monthly: ['Pro', 'month'],
  price_pro_yearly: ['Pro', 'year'],
  price_business_monthly: ['Business', 'month'],
  price_business_yearly: ['Business', 'year'],
};
const STATUSES: Record<string, string> = {
  trialing: 'Trialing',
  active: 'Active',
  past_due: 'PastDue',
  paused: 'Paused',
  canceled: 'Canceled',
};

/** All subscriptions of the stand-in, with their coupons and schedules. */
export function subscriptionsAtStripe(stripe: Stripe): Promise<Stripe.Subscription[]> {
  const expand = ['data.schedule', 'data.discounts.source.coupon'];
  return stripe.subscriptions.list({ status: 'all', limit: 100, expand }).autoPagingToArray({ limit: 10_000 });
}

/** The subscription of a tenant that counts: the live one, otherwise the newest. */
export function countingOne(tenantId: string, own: readonly Stripe.Subscription[]): Stripe.Subscription | undefined {
  const live = own.filter(({ status }) => status !== 'canceled');
  if (live.length > 1) throw new Error(`Tenant ${tenantId} has ${live.length} live subscriptions.`);
  return live[0] ?? [...own].sort((one, other) => other.created - one.created)[0];
}

/** What the service must have stored of a subscription. */
export function expectedRow(subscription: Stripe.Subscription): SubscriptionRow {
  const { id, customer, currency, status, discounts } = subscription;
  const [item] = subscription.items.data;
  const [plan, interval] = PRICES[item.price.id]!;
  const isPaused = status === 'active' && subscription.pause_collection !== null;
  const isOver = status === 'canceled';
  const [pendingPlan = null, pendingInterval = null] = PRICES[plannedPriceOf(subscription) ?? ''] ?? [];
  return {
    customerId: customer as string,
    subscriptionId: id,
    plan,
    interval,
    currency,
    seats: item.quantity!,
    priceId: item.price.id,
    ...discountOf(discounts[0], currency),
    status: isPaused ? 'Paused' : STATUSES[status],
    periodEnd: item.current_period_end,
    cancelAtPeriodEnd: !isOver && (subscription.cancel_at_period_end || subscription.cancel_at !== null),
    pendingPlan,
    pendingInterval,
    pendingAt: pendingPlan === null ? null : openScheduleOf(subscription)!.current_phase!.end_date,
  };
}

/** The schedule of a live subscription; undefined: there is none. */
export function openScheduleOf({ status, schedule }: Stripe.Subscription): Stripe.SubscriptionSchedule | undefined {
  const open = schedule as Stripe.SubscriptionSchedule | null;
  return status !== 'canceled' && open?.status === 'active' ? open : undefined;
}

/** The price of the next phase of the schedule, if it is another one. */
function plannedPriceOf(subscription: Stripe.Subscription): string | undefined {
  const schedule = openScheduleOf(subscription);
  const next = schedule?.phases.find(({ start_date }) => start_date === schedule.current_phase!.end_date);
  const price = next?.items[0].price as string | undefined;
  return price === subscription.items.data[0].price.id ? undefined : price;
}

type Discount = Pick<SubscriptionRow, 'discount' | 'discountPercent' | 'discountAmount'>;

/** The coupons of a run apply to each invoice. An amount counts in its own currency only. */
function discountOf(discount: Stripe.Discount | string | undefined, currency: string): Discount {
  if (discount === undefined) return { discount: null, discountPercent: null, discountAmount: null };
  const coupon = (discount as Stripe.Discount).source.coupon as Stripe.Coupon;
  const { percent_off: percent, amount_off: amount } = coupon;
  return {
    discount: percent === null ? `${(amount! / 100).toFixed(2)} ${coupon.currency}` : `${percent}%`,
    discountPercent: percent,
    discountAmount: coupon.currency === currency ? amount : null,
  };
}
