import { endOfPeriod } from './billing-period';
import type { CouponRecord, DiscountRecord, PromotionCodeRecord, SubscriptionRecord } from './records';
import type { State } from './state';
import { resourceMissing, StripeError } from './stripe-error';

/** A coupon that is to be applied, directly or with a code. */
export interface Promotion {
  readonly coupon: string;
  readonly promotionCode: string | null;
}

/** What a coupon is to be applied to. */
interface Purchase {
  readonly customer: string | null;
  readonly currency: string;
  /** What the first invoice is about, without discounts; undefined where that is not known yet. */
  readonly amount?: number;
}

/**
 * The coupon that a request names.
 * @throws a StripeError if it cannot be redeemed
 */
export function promotionOf(
  state: State,
  { coupon, promotion_code: code }: { coupon?: string; promotion_code?: string },
  purchase: Purchase,
  param: string,
): Promotion {
  if (code === undefined && coupon === undefined)
    throw new StripeError(`Missing required param: ${param}[coupon].`, { code: 'parameter_missing', param });
  if (code === undefined) {
    refuseInvalidCoupon(state, state.coupons.get(coupon!), purchase, { id: coupon!, param: `${param}[coupon]` });
    return { coupon: coupon!, promotionCode: null };
  }
  const record = state.promotionCodes.get(code);
  if (!record) throw resourceMissing('promotion code', code, `${param}[promotion_code]`);
  return redeemable(state, record, purchase, `${param}[promotion_code]`);
}

/** @throws a StripeError if a code that a customer entered cannot be redeemed */
export function promotionOfCode(state: State, entered: string, purchase: Purchase): Promotion {
  const code = entered.trim().toLowerCase();
  const record = state.promotionCodes.all().find((each) => each.isActive && each.code.toLowerCase() === code);
  if (!record) throw new StripeError('This code is invalid.', { param: 'code' });
  return redeemable(state, record, purchase, 'code');
}

/** Whether a coupon can still be redeemed. @param at in seconds */
export function isCouponValid(
  { isDeleted, redeemBy, maxRedemptions, timesRedeemed }: CouponRecord,
  at: number,
): boolean {
  return !isDeleted && (redeemBy ?? Infinity) > at && timesRedeemed < (maxRedemptions ?? Infinity);
}

/** Records that a customer has redeemed a coupon. @returns the new discount */
export function redeem(
  state: State,
  { coupon: id, promotionCode }: Promotion,
  owner: Pick<DiscountRecord, 'customer' | 'subscription' | 'session'>,
): DiscountRecord {
  const coupon = state.coupons.get(id)!;
  const start = state.seconds();
  const code = promotionCode === null ? undefined : state.promotionCodes.get(promotionCode);
  coupon.timesRedeemed += 1;
  if (code) code.timesRedeemed += 1;
  const months = { interval: 'month', intervalCount: coupon.durationInMonths ?? 1 } as const;
  const end = coupon.duration === 'repeating' ? endOfPeriod(start, start, months) : null;
  return state.discounts.add({
    id: state.random.id('di', 24),
    created: start,
    coupon: id,
    promotionCode,
    end,
    ...owner,
  });
}

/** The discounts of a subscription after a change: those that it keeps, and new ones. */
export function redeemed(
  state: State,
  { id, customer, discounts }: SubscriptionRecord,
  promotions: readonly Promotion[],
): string[] {
  const owner = { customer, subscription: id, session: null };
  return promotions.map((promotion) => {
    const kept = discounts.find((each) => state.discounts.get(each) === promotion);
    return kept ?? redeem(state, promotion, owner).id;
  });
}

function redeemable(state: State, code: PromotionCodeRecord, purchase: Purchase, param: string): Promotion {
  const isExpired = (code.expiresAt ?? Infinity) <= state.seconds();
  const isUsedUp = code.timesRedeemed >= (code.maxRedemptions ?? Infinity);
  const isOthers = code.customer !== null && code.customer !== purchase.customer;
  const isLate = code.isFirstTimeOnly && hasPaid(state, purchase.customer);
  if (!code.isActive || isExpired || isUsedUp || isOthers || isLate)
    throw new StripeError('This promotion code cannot be redeemed.', { param, code: 'promotion_code_invalid' });
  // Stripe's message alone says what is wrong
  if (isTooSmall(code, purchase)) throw new StripeError('This promotion code needs a larger amount.');
  refuseInvalidCoupon(state, state.coupons.get(code.coupon), purchase, { id: code.coupon, param });
  return { coupon: code.coupon, promotionCode: code.id };
}

const isTooSmall = ({ minimum }: PromotionCodeRecord, { amount = 0, currency }: Purchase): boolean =>
  minimum !== undefined && (minimum.currency !== currency || amount < minimum.amount);

function refuseInvalidCoupon(
  state: State,
  coupon: CouponRecord | undefined,
  { currency }: Purchase,
  { id, param }: { id: string; param: string },
): void {
  if (!coupon || coupon.isDeleted) throw resourceMissing('coupon', id, param);
  if (!isCouponValid(coupon, state.seconds()))
    throw new StripeError(`Coupon ${id} is used up or has expired.`, { param, code: 'coupon_expired' });
  if (coupon.percentOff === null && !Object.hasOwn(coupon.amountsOff, currency))
    throw new StripeError(`Coupon ${id} has no amount in ${currency}.`, { param });
}

function hasPaid(state: State, customer: string | null): boolean {
  return customer !== null && state.invoices.of(customer).some(({ status, total }) => status === 'paid' && total > 0);
}
