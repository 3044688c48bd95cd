import { amountsIn } from './price-amounts';
import type { InvoiceTerms } from './invoice-totals';
import type { SubscriptionRecord } from './records';
import type { State } from './state';

/**
 * The discounts and the tax of a subscription's invoice.
 * @param at in seconds
 */
export function termsOf(state: State, subscription: SubscriptionRecord, at: number): InvoiceTerms {
  const { customer, currency, discounts, isTaxAutomatic } = subscription;
  const valid = discounts.map((id) => state.discounts.get(id)!).filter(({ end }) => end === null || at < end);
  return {
    currency,
    balance: state.customers.get(customer)!.balance,
    discounts: valid.map(({ id, coupon }) => ({ id, coupon: state.coupons.get(coupon)! })),
    tax: isTaxAutomatic ? taxTerms(state, subscription) : null,
  };
}

/**
 * Automatic tax has the rate of the configuration. The price says whether its amount includes it.
 */
export function taxTerms(state: State, { price, currency }: Pick<SubscriptionRecord, 'price' | 'currency'>) {
  const { taxBehavior } = amountsIn(state.priceOf({ price }), currency);
  return { percent: state.taxPercent, isInclusive: taxBehavior === 'inclusive' };
}
