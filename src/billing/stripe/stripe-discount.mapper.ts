import type { Discount } from '../subscriptions/domain/subscription-snapshot';
import { fieldsOf, isFields, listOf, textOf, type Fields } from './stripe-fields';

/**
 * The discount of a subscription, the first of several. Older API versions have one discount with
 * its coupon; later ones a list of ids, unless it is expanded.
 * @returns null for none; undefined if the payload has ids only
 */
export function discountOf({ discount, discounts, currency }: Fields): Discount | null | undefined {
  if (isFields(discount)) return discountBy(couponOf(discount), currency);
  if (!Array.isArray(discounts) || discounts.length === 0) return null;
  const [first] = listOf(discounts);
  return first && discountBy(couponOf(first), currency);
}

const couponOf = (discount: Fields) => discount.coupon ?? fieldsOf(discount.source).coupon;

/** A coupon for one invoice takes nothing off the later ones. */
function discountBy(coupon: unknown, paidIn: unknown): Discount | undefined {
  const { percent_off, amount_off, currency, duration } = fieldsOf(coupon);
  const isRepeated = duration !== 'once';
  if (typeof percent_off === 'number')
    return { text: `${percent_off}%`, percent: isRepeated ? percent_off : null, amount: null };
  if (typeof amount_off !== 'number') return undefined;
  const isSameCurrency = currency === (paidIn ?? currency);
  return {
    text: `${(amount_off / 100).toFixed(2)} ${textOf(currency) ?? ''}`.trim(),
    percent: null,
    amount: isRepeated && isSameCurrency ? amount_off : null,
  };
}
