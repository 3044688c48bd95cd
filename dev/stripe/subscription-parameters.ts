import type Stripe from 'stripe';
import { itemIdOf } from './billing-objects';
import { promotionOf, type Promotion } from './discounts';
import type { ProrationBehavior, SubscriptionChange } from './subscription-change';
import { amountsIn } from './price-amounts';
import type { SubscriptionRecord } from './records';
import { mergedMetadata } from './routes';
import type { State } from './state';
import { resourceMissing, StripeError } from './stripe-error';

/** The parameters of a change, of a request to make it or of one to preview it. */
export type ChangeParams = Pick<
  Stripe.SubscriptionUpdateParams,
  | 'cancel_at'
  | 'cancel_at_period_end'
  | 'discounts'
  | 'items'
  | 'metadata'
  | 'pause_collection'
  | 'payment_behavior'
  | 'proration_behavior'
  | 'proration_date'
  | 'trial_end'
>;

/** A change of a subscription, from the parameters of a request. `trial_end: now` is left out. */
export function changeOf(state: State, subscription: SubscriptionRecord, params: ChangeParams): SubscriptionChange {
  const { cancel_at: cancelAt, cancel_at_period_end: isAtPeriodEnd, pause_collection: pause } = params;
  if (params.payment_behavior === 'pending_if_incomplete')
    throw new StripeError('This stand-in has no pending updates.', { param: 'payment_behavior' });
  return {
    ...itemChange(state, subscription, params.items ?? []),
    metadata: params.metadata === undefined ? undefined : mergedMetadata(subscription.metadata, params.metadata),
    pauseCollection:
      pause === undefined
        ? undefined
        : pause
          ? { behavior: pause.behavior as 'void', resumesAt: pause.resumes_at ?? null }
          : null,
    cancelAt: isAtPeriodEnd
      ? 'period-end'
      : cancelAt === undefined && isAtPeriodEnd === false
        ? null
        : endOf(cancelAt, subscription),
    trialEnd: typeof params.trial_end === 'number' ? params.trial_end : undefined,
    proration: params.proration_behavior as ProrationBehavior | undefined,
    prorationDate: params.proration_date,
    promotions: promotionsOf(state, subscription, params.discounts),
    isRefusedUnpaid: params.payment_behavior === 'error_if_incomplete',
  };
}

/**
 * The coupons that replace those of a subscription: none for an empty value, undefined if they
 * stay.
 */
export function promotionsOf(
  state: State,
  { customer, currency }: SubscriptionRecord,
  discounts: ChangeParams['discounts'],
): Promotion[] | undefined {
  if (discounts === undefined) return undefined;
  return (discounts || []).map(({ discount, ...named }, index) => {
    const param = `discounts[${index}]`;
    const kept = discount === undefined ? undefined : state.discounts.get(discount);
    if (discount !== undefined && !kept) throw resourceMissing('discount', discount, `${param}[discount]`);
    return kept ?? promotionOf(state, named, { customer, currency }, param);
  });
}

/** A subscription has one item, which a change names. */
function itemChange(
  state: State,
  subscription: SubscriptionRecord,
  items: NonNullable<ChangeParams['items']>,
): Pick<SubscriptionChange, 'price' | 'quantity'> {
  const [item] = items;
  if (!item) return {};
  if (items.length > 1 || item.deleted || (item.price !== undefined && item.id === undefined))
    throw new StripeError('This stand-in has one item per subscription: name it (items[0][id]) to change it.', {
      param: 'items[0][id]',
    });
  if (item.id !== undefined && item.id !== itemIdOf(subscription.id))
    throw resourceMissing('subscription_item', item.id, 'items[0][id]');
  if (item.quantity !== undefined && item.quantity < 0)
    throw new StripeError('Invalid non-negative integer', { param: 'items[0][quantity]' });
  if (item.price !== undefined && item.price !== subscription.price)
    refuseUnusablePrice(state, item.price, subscription.currency);
  return { price: item.price, quantity: item.quantity };
}

/** @throws a StripeError if a subscription in the currency cannot have the price */
export function refuseUnusablePrice(state: State, id: string, currency: string, param = 'items[0][price]'): void {
  const price = state.prices.get(id);
  if (!price) throw resourceMissing('price', id, param);
  if (!price.interval) throw new StripeError('The price specified is not recurring.', { param });
  if (!price.isActive)
    throw new StripeError('The price specified is inactive. This field only accepts active prices.', { param });
  amountsIn(price, currency);
}

function endOf(cancelAt: ChangeParams['cancel_at'], { periodEnd }: SubscriptionRecord): number | null | undefined {
  if (cancelAt === undefined) return undefined;
  if (cancelAt === '' || cancelAt === null) return null;
  // a subscription with one item has one period
  return typeof cancelAt === 'number' ? cancelAt : periodEnd;
}
