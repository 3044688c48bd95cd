import type Stripe from 'stripe';
import { couponObject } from './discount-objects';
import { listPage, type ListParams } from './pagination';
import type { CouponRecord } from './records';
import { mergedMetadata, route, type Context, type Routes } from './routes';
import { resourceMissing, StripeError } from './stripe-error';

/** Coupons. */
export const couponRoutes: Routes = {
  'POST /v1/coupons': route<Stripe.CouponCreateParams>(({ state }, params) => {
    refuseIncomplete(params);
    if (params.id !== undefined && state.coupons.get(params.id))
      throw new StripeError('Coupon already exists.', { code: 'resource_already_exists', param: 'id' });
    const { currency = null, amount_off: amountOff, currency_options: options = {} } = params;
    const others = Object.entries(options).map(([other, option]) => [other, option.amount_off] as const);
    const amounts = currency !== null && amountOff !== undefined ? [[currency, amountOff] as const, ...others] : [];
    const coupon = state.coupons.add({
      id: params.id ?? state.random.id('cpn', 14).slice(4),
      created: state.seconds(),
      name: params.name ?? null,
      currency: amounts.length ? currency : null,
      percentOff: params.percent_off ?? null,
      amountsOff: Object.fromEntries(amounts),
      duration: (params.duration as CouponRecord['duration'] | undefined) ?? 'once',
      durationInMonths: params.duration_in_months ?? null,
      maxRedemptions: params.max_redemptions ?? null,
      redeemBy: params.redeem_by ?? null,
      timesRedeemed: 0,
      isDeleted: false,
      metadata: mergedMetadata({}, params.metadata),
    });
    return couponObject(coupon, state.seconds());
  }),
  'GET /v1/coupons/{id}': route((context, _params, id) =>
    couponObject(couponWith(context, id), context.state.seconds()),
  ),
  'DELETE /v1/coupons/{id}': route((context, _params, id) => {
    const coupon = couponWith(context, id);
    coupon.isDeleted = true;
    return couponObject(coupon, context.state.seconds());
  }),
  'GET /v1/coupons': route<ListParams>(({ state }, params) =>
    listPage(
      {
        url: '/v1/coupons',
        name: 'coupon',
        table: state.coupons,
        render: (coupon) => couponObject(coupon, state.seconds()),
      },
      params,
      ({ isDeleted }) => !isDeleted,
    ),
  ),
};

function refuseIncomplete(params: Stripe.CouponCreateParams): void {
  const { percent_off: percent, amount_off: amount, currency, duration, duration_in_months: months } = params;
  if ((percent === undefined) === (amount === undefined))
    throw new StripeError('You must pass either `percent_off` or `amount_off`.', { param: 'percent_off' });
  if (percent !== undefined && (percent <= 0 || percent > 100))
    throw new StripeError('The percentage must be greater than 0 and at most 100.', { param: 'percent_off' });
  if (amount !== undefined && currency === undefined)
    throw new StripeError('Missing required param: currency.', { code: 'parameter_missing', param: 'currency' });
  if ((duration === 'repeating') !== (months !== undefined))
    throw new StripeError('`duration_in_months` is needed for `duration=repeating`, and only for it.', {
      param: 'duration_in_months',
    });
}

function couponWith({ state }: Context, id: string): CouponRecord {
  const coupon = state.coupons.get(id);
  if (!coupon || coupon.isDeleted) throw resourceMissing('coupon', id);
  return coupon;
}
