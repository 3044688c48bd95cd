import type Stripe from 'stripe';
import { promotionCodeObject } from './discount-objects';
import { listPage, type ListParams } from './pagination';
import type { PromotionCodeRecord } from './records';
import { mergedMetadata, route, type Context, type Routes } from './routes';
import { resourceMissing, StripeError } from './stripe-error';

type CodeFilter = ListParams & Pick<Stripe.PromotionCodeListParams, 'active' | 'code' | 'coupon'>;

/** The codes of coupons, which customers enter. */
export const promotionCodeRoutes: Routes = {
  'POST /v1/promotion_codes': route<Stripe.PromotionCodeCreateParams>(({ state }, params) => {
    const { promotion, restrictions, code = state.random.id('', 8).slice(1).toUpperCase() } = params;
    const { coupon } = promotion;
    if (coupon === undefined || !state.coupons.get(coupon) || state.coupons.get(coupon)!.isDeleted)
      throw resourceMissing('coupon', coupon ?? '', 'promotion[coupon]');
    const isTaken = state.promotionCodes
      .all()
      .some(
        (each) =>
          each.isActive &&
          each.customer === (params.customer ?? null) &&
          each.code.toLowerCase() === code.toLowerCase(),
      );
    if (isTaken) throw new StripeError('An active promotion code with this code exists.', { param: 'code' });
    return promotionCodeObject(
      state.promotionCodes.add({
        id: state.random.id('promo', 24),
        created: state.seconds(),
        coupon,
        code,
        customer: params.customer ?? null,
        isActive: params.active ?? true,
        expiresAt: params.expires_at ?? null,
        maxRedemptions: params.max_redemptions ?? null,
        isFirstTimeOnly: restrictions?.first_time_transaction ?? false,
        ...minimumOf(restrictions),
        timesRedeemed: 0,
        metadata: mergedMetadata({}, params.metadata),
      }),
    );
  }),
  'GET /v1/promotion_codes/{id}': route((context, _params, id) => promotionCodeObject(codeWith(context, id))),
  'POST /v1/promotion_codes/{id}': route<Stripe.PromotionCodeUpdateParams>((context, params, id) => {
    const code = codeWith(context, id);
    if (params.active !== undefined) code.isActive = params.active;
    code.metadata = mergedMetadata(code.metadata, params.metadata);
    return promotionCodeObject(code);
  }),
  'GET /v1/promotion_codes': route<CodeFilter>(({ state }, { active, code, coupon, ...params }) =>
    listPage(
      {
        url: '/v1/promotion_codes',
        name: 'promotion_code',
        table: state.promotionCodes,
        customers: state.customers,
        render: promotionCodeObject,
      },
      params,
      (row) =>
        (active === undefined || row.isActive === active) &&
        (code === undefined || row.code.toLowerCase() === code.toLowerCase()) &&
        (coupon === undefined || row.coupon === coupon),
    ),
  ),
};

function minimumOf(restrictions: Stripe.PromotionCodeCreateParams.Restrictions = {}) {
  const { minimum_amount: amount, minimum_amount_currency: currency } = restrictions;
  if (amount === undefined) return {};
  if (currency === undefined)
    throw new StripeError('You must pass minimum_amount_currency when passing minimum_amount.', {
      param: 'restrictions[minimum_amount_currency]',
    });
  return { minimum: { amount, currency } };
}

function codeWith({ state }: Context, id: string): PromotionCodeRecord {
  const code = state.promotionCodes.get(id);
  if (!code) throw resourceMissing('promotion code', id);
  return code;
}
