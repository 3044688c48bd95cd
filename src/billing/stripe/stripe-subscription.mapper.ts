import type { PlanPrices } from '../entitlements/services/plan-prices';
import type { SubscriptionSnapshot } from '../subscriptions/domain/subscription-snapshot';
import { fieldsOf, idIn, listOf, momentOf, tenantIdIn, textOf, type Fields } from './stripe-fields';

/**
 * Maps a subscription object of any API version. The new location of a field is read first, then
 * the old one. Undefined if a required field is missing.
 */
export function toSnapshot(subscription: Fields, prices: Pick<PlanPrices, 'planOf'>): SubscriptionSnapshot | undefined {
  const [subscriptionId, customerId, status] = [
    idIn(subscription.id),
    idIn(subscription.customer),
    textOf(subscription.status),
  ];
  const createdAt = momentOf(subscription.created);
  if (!subscriptionId || !customerId || !status || !createdAt) return undefined;
  const items = listOf(subscription.items);
  const cancelAt = momentOf(subscription.cancel_at);
  const item = items.find((one) => prices.planOf(priceIdOf(one) ?? '') !== null) ?? items[0] ?? {};
  const currentPeriodEnd = momentOf(item.current_period_end) ?? momentOf(subscription.current_period_end);
  return {
    subscriptionId,
    customerId,
    status,
    isCollectionPaused: subscription.pause_collection != null,
    plan: prices.planOf(priceIdOf(item) ?? idIn(subscription.plan) ?? ''),
    createdAt,
    currentPeriodEnd,
    isEnding: subscription.cancel_at_period_end === true || cancelAt !== null,
    endsAt: cancelAt ?? (subscription.cancel_at_period_end === true ? currentPeriodEnd : null),
    endedAt: momentOf(subscription.ended_at),
    latestInvoiceId: idIn(subscription.latest_invoice),
    trialEndsAt: momentOf(subscription.trial_end),
    tenantId: tenantIdIn(subscription.metadata),
  };
}

const priceIdOf = (item: Fields) => idIn(item.price) ?? idIn(item.plan);

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
