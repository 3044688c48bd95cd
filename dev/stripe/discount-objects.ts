import type { ApiObject } from './api-objects';
import { isCouponValid } from './discounts';
import type { CouponRecord, DiscountRecord, PromotionCodeRecord } from './records';

/** @param at the time for which `valid` is said, in seconds */
export function couponObject(coupon: CouponRecord, at: number): ApiObject {
  const { id, created, currency, percentOff, amountsOff, duration, durationInMonths, isDeleted } = coupon;
  if (isDeleted) return { id, object: 'coupon', deleted: true };
  return {
    id,
    object: 'coupon',
    amount_off: currency === null ? null : amountsOff[currency],
    created,
    currency,
    duration,
    duration_in_months: durationInMonths,
    livemode: false,
    max_redemptions: coupon.maxRedemptions,
    metadata: coupon.metadata,
    name: coupon.name,
    percent_off: percentOff,
    redeem_by: coupon.redeemBy,
    times_redeemed: coupon.timesRedeemed,
    valid: isCouponValid(coupon, at),
  };
}

/** The API's promotion code of a record. */
export function promotionCodeObject(code: PromotionCodeRecord): ApiObject {
  return {
    id: code.id,
    object: 'promotion_code',
    active: code.isActive,
    code: code.code,
    created: code.created,
    customer: code.customer,
    customer_account: null,
    expires_at: code.expiresAt,
    livemode: false,
    max_redemptions: code.maxRedemptions,
    metadata: code.metadata,
    promotion: { coupon: code.coupon, type: 'coupon' },
    restrictions: {
      first_time_transaction: code.isFirstTimeOnly,
      minimum_amount: code.minimum?.amount ?? null,
      minimum_amount_currency: code.minimum?.currency ?? null,
    },
    times_redeemed: code.timesRedeemed,
  };
}

/** The API's discount of a record. */
export function discountObject(discount: DiscountRecord): ApiObject {
  return {
    id: discount.id,
    object: 'discount',
    checkout_session: discount.session,
    customer: discount.customer,
    customer_account: null,
    end: discount.end,
    invoice: null,
    invoice_item: null,
    promotion_code: discount.promotionCode,
    source: { coupon: discount.coupon, type: 'coupon' },
    start: discount.created,
    subscription: discount.subscription,
    subscription_item: null,
  };
}
