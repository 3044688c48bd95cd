import type { PriceMark } from '../catalogue/domain/price-metadata';
import type { PlanPrices } from '../catalogue/services/plan-prices';
import type { SubscriptionSnapshot } from '../subscriptions/domain/subscription-snapshot';
import { discountOf } from './stripe-discount.mapper';
import { itemTermsOf, pendingChangeOf } from './stripe-subscription-terms.mapper';
import { toPriceMark } from './stripe-price.mapper';
import { fieldsOf, idIn, isFields, listOf, momentOf, tenantIdIn, textOf, type Fields } from './stripe-fields';

/**
 * Maps a subscription object of any API version. The new location of a field is read first, then
 * the old one. Undefined if a required field is missing.
 */
export function toSnapshot(
  subscription: Fields,
  prices: Pick<PlanPrices, 'termsOf'>,
): SubscriptionSnapshot | undefined {
  const [subscriptionId, customerId, status] = [
    idIn(subscription.id),
    idIn(subscription.customer),
    textOf(subscription.status),
  ];
  const createdAt = momentOf(subscription.created);
  if (!subscriptionId || !customerId || !status || !createdAt) return undefined;
  const items = listOf(subscription.items);
  const cancelAt = momentOf(subscription.cancel_at);
  const termsOf = (mark: PriceMark | undefined) => mark && prices.termsOf(mark);
  const item = items.find((one) => termsOf(markOfItem(one)) !== undefined) ?? items[0] ?? {};
  const price = markOfItem(item) ?? toPriceMark(subscription.plan);
  const currentPeriodEnd = momentOf(item.current_period_end) ?? momentOf(subscription.current_period_end);
  return {
    subscriptionId,
    customerId,
    status,
    isCollectionPaused: subscription.pause_collection != null,
    plan: termsOf(price)?.plan ?? null,
    priceId: price?.id ?? null,
    ...itemTermsOf(item, subscription),
    discount: discountOf(subscription),
    pending: pendingChangeOf(subscription, prices),
    createdAt,
    currentPeriodEnd,
    isEnding: subscription.cancel_at_period_end === true || cancelAt !== null,
    endsAt: cancelAt ?? (subscription.cancel_at_period_end === true ? currentPeriodEnd : null),
    endedAt: momentOf(subscription.ended_at),
    latestInvoiceId: idIn(subscription.latest_invoice),
    isLatestInvoicePaid: isPaidIn(subscription.latest_invoice),
    trialEndsAt: momentOf(subscription.trial_end),
    tenantId: tenantIdIn(subscription.metadata),
  };
}

const markOfItem = (item: Fields) => toPriceMark(item.price) ?? toPriceMark(item.plan);

/** What the prices of a subscription's items say about themselves. */
export const priceMarksOf = (subscription: Fields): PriceMark[] =>
  listOf(subscription.items).flatMap((item) => markOfItem(item) ?? []);

/** Whether something was due on an invoice and paid. In doubt it was. */
export function isAmountPaid({ amount_paid: paid, amount_due: due }: Fields): boolean {
  const amount = paid ?? due;
  return typeof amount !== 'number' || amount > 0;
}

const isPaidIn = (invoice: unknown) => (isFields(invoice) ? invoice.status === 'paid' && isAmountPaid(invoice) : null);

/** The subscription of an invoice; null for an invoice of something else. */
export function subscriptionIdOfInvoice(invoice: Fields): string | null {
  const line = listOf(invoice.lines)[0] ?? {};
  return (
    idIn(fieldsOf(fieldsOf(invoice.parent).subscription_details).subscription) ??
    idIn(invoice.subscription) ??
    idIn(fieldsOf(fieldsOf(line.parent).subscription_item_details).subscription) ??
    idIn(line.subscription)
  );
}

/**
 * The tenant ids in an invoice: from its metadata, and from the copied metadata of its
 * subscription.
 */
export const tenantIdsOfInvoice = (invoice: Fields): (string | null)[] => [
  tenantIdIn(invoice.metadata),
  tenantIdIn(fieldsOf(fieldsOf(invoice.parent).subscription_details).metadata),
  tenantIdIn(fieldsOf(invoice.subscription_details).metadata),
];
