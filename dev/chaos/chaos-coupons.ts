import type Stripe from 'stripe';

/** The coupons of a run: WELCOME20 of the stand-in, and an amount. */
export const COUPONS = ['welcome20', 'five-off'];
/** The codes of these coupons, which Owners enter. */
export const PROMOTION_CODES = ['WELCOME20', 'FIVEOFF'];

/** Creates the coupon and the code that the stand-in does not have. */
export async function createCoupons(stripe: Stripe): Promise<void> {
  await stripe.coupons.create({
    id: 'five-off',
    amount_off: 500,
    currency: 'usd',
    currency_options: { eur: { amount_off: 400 } },
    duration: 'forever',
  });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: 'five-off' }, code: 'FIVEOFF' });
}
