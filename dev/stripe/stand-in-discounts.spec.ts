import type Stripe from 'stripe';
import { newCheckout, subscribed } from './stand-in-checkouts';
import { clientOf, failureOf } from './stand-in-client';
import { StripeStandIn } from './stripe-stand-in';

const DAY = 24 * 60 * 60;
/** A month of 30 days. */
const NOVEMBER = new Date('2026-11-01T00:00:00Z');
const WELCOME = { discounts: [{ promotion_code: 'promo_welcome20' }] };
const TRIAL = { subscription_data: { trial_period_days: 14 } };

describe('Discounts of the stand-in', () => {
  let processor: StripeStandIn;
  let stripe: Stripe;

  beforeEach(async () => {
    processor = new StripeStandIn({ validateResponses: true, seed: 7, wallClock: () => NOVEMBER });
    await processor.start();
    stripe = clientOf(processor);
  });

  afterEach(async () => {
    await processor.stop();
    expect(processor.violations).toEqual([]);
  });

  const totals = async ({ id }: Stripe.Subscription) =>
    (await stripe.invoices.list({ subscription: id })).data.map(({ total }) => total);
  const paramOf = async (request: Promise<unknown>) => (await failureOf(request))!.param;
  const withCoupon = async (
    coupon: Stripe.CouponCreateParams,
    more: Partial<Stripe.Checkout.SessionCreateParams> = {},
  ) => subscribed(processor, stripe, { ...more, discounts: [{ coupon: (await stripe.coupons.create(coupon)).id }] });

  it('come from a promotion code, for three months', async () => {
    const [code] = (await stripe.promotionCodes.list({ code: 'welcome20', expand: ['data.promotion.coupon'] })).data;
    expect(code).toMatchObject({ id: 'promo_welcome20', promotion: { coupon: { percent_off: 20, valid: true } } });
    const session = await newCheckout(stripe, WELCOME);
    expect(session).toMatchObject({
      amount_subtotal: 2900,
      amount_total: 2320,
      total_details: { amount_discount: 580 },
      discounts: [{ promotion_code: code.id }],
    });
    await processor.customerActions.pay(session.id);
    const { id } = processor.subscriptions()[0];
    const subscription = await stripe.subscriptions.retrieve(id, { expand: ['discounts.source.coupon'] });
    expect(subscription.discounts).toMatchObject([
      { promotion_code: code.id, source: { coupon: { percent_off: 20 } }, end: Date.UTC(2027, 1, 1) / 1000 },
    ]);
    const [invoice] = (await stripe.invoices.list({ expand: ['data.discounts'] })).data;
    expect(invoice).toMatchObject({
      subtotal: 2900,
      total: 2320,
      total_discount_amounts: [{ amount: 580 }],
      discounts: [{ promotion_code: code.id }],
    });
    expect((await stripe.promotionCodes.retrieve(code.id)).times_redeemed).toBe(1);
    await processor.advance(100 * DAY);
    expect(await totals(subscription)).toEqual([2900, 2320, 2320, 2320]);
    expect((await stripe.subscriptions.retrieve(id)).discounts).toEqual([]);
  });

  it('last for one payment, also after a trial, or indefinitely', async () => {
    const once = await withCoupon({ percent_off: 50, duration: 'once' }, TRIAL);
    const forever = await withCoupon({ amount_off: 900, currency: 'usd', duration: 'forever' });
    await processor.advance(62 * DAY);
    expect(await totals(once)).toEqual([2900, 1450, 0]);
    expect(await totals(forever)).toEqual([2000, 2000, 2000]);
    await stripe.coupons.create({ id: 'all', percent_off: 100, duration: 'forever' });
    const free = await subscribed(processor, stripe, { discounts: [{ coupon: 'all' }] });
    await processor.customerActions.useCard(free.customer as string, 'declining');
    await processor.advance(31 * DAY);
    expect([await totals(free), processor.subscription(free.id)!.status]).toEqual([[0, 0], 'active']);
  });

  it('have an amount for each currency, and none in others', async () => {
    const options = { currency_options: { eur: { amount_off: 700 } } };
    const coupon = { amount_off: 900, currency: 'usd', duration: 'once' as const, ...options };
    expect(await totals(await withCoupon(coupon, { currency: 'eur' }))).toEqual([2000]);
    await stripe.coupons.create({ id: 'dollars', amount_off: 900, currency: 'usd' });
    expect(await paramOf(newCheckout(stripe, { currency: 'eur', discounts: [{ coupon: 'dollars' }] }))).toBe(
      'discounts[0][coupon]',
    );
  });

  it('can be entered on the page of the checkout', async () => {
    const session = await newCheckout(stripe, { allow_promotion_codes: true });
    expect(await (await fetch(session.url!)).text()).toMatch(/Promotion code[^]*Codes to try: WELCOME20/);
    const enter = async (code: string) =>
      (await fetch(session.url!, { method: 'POST', body: new URLSearchParams({ action: 'code', code }) })).text();
    expect(await enter('NONE')).toContain('This code is invalid.');
    expect(await enter(' welcome20 ')).toMatch(
      /23\.20 USD per month for 3 months, then 29\.00 USD per month[^]*Discount: -5\.80 USD/,
    );
    expect(await enter('')).toContain('29.00 USD per month');
    await processor.customerActions.enterCode(session.id, 'WELCOME20');
    await processor.customerActions.pay(session.id);
    expect(await totals(processor.subscriptions()[0])).toEqual([2320]);
    const other = await newCheckout(stripe);
    await expect(processor.customerActions.enterCode(other.id, 'WELCOME20')).rejects.toThrow('no promotion codes');
  });

  it('ends with the first of long periods on the page of the checkout', async () => {
    const line_items = [{ price: 'price_pro_yearly', quantity: 1 }];
    const session = await newCheckout(stripe, { allow_promotion_codes: true, line_items });
    await processor.customerActions.enterCode(session.id, 'WELCOME20');
    expect(await (await fetch(session.url!)).text()).toContain(
      '232.00 USD for the first year, then 290.00 USD per year',
    );
  });

  it('can be given to a subscription, previewed and taken away', async () => {
    const subscription = await subscribed(processor, stripe);
    const preview = await stripe.invoices.createPreview({ subscription: subscription.id, ...WELCOME });
    expect(preview).toMatchObject({ subtotal: 2900, total: 2320 });
    const discounted = await stripe.subscriptions.update(subscription.id, WELCOME);
    expect(discounted.discounts).toHaveLength(1);
    expect(processor.events().at(-1)!.data.previous_attributes).toMatchObject({ discounts: [] });
    expect((await stripe.invoices.createPreview({ subscription: subscription.id })).total).toBe(2320);
    const kept = { discounts: [{ discount: discounted.discounts[0] as string }] };
    expect((await stripe.subscriptions.update(subscription.id, kept)).discounts).toEqual(discounted.discounts);
    expect((await stripe.subscriptions.update(subscription.id, { discounts: '' })).discounts).toEqual([]);
    await processor.advance(30 * DAY);
    expect(await totals(subscription)).toEqual([2900, 2900]);
  });

  it('are refused once they are over, used up or for others', async () => {
    const code = (params: Partial<Stripe.PromotionCodeCreateParams>) =>
      stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: 'welcome20' }, ...params });
    const codes = [
      await code({ active: false }),
      await code({ expires_at: NOVEMBER.getTime() / 1000 }),
      await code({ customer: (await stripe.customers.create({})).id }),
      await code({ max_redemptions: 1 }),
      await code({ restrictions: { first_time_transaction: true } }),
    ];
    const { customer } = await subscribed(processor, stripe, { discounts: [{ promotion_code: codes[3].id }] });
    for (const { id } of codes) {
      const again = newCheckout(stripe, { customer: customer as string, discounts: [{ promotion_code: id }] });
      expect(await paramOf(again)).toBe('discounts[0][promotion_code]');
    }
    expect(await newCheckout(stripe, { discounts: [{ promotion_code: codes[4].id }] })).toMatchObject({
      amount_total: 2320,
    });
    expect(await paramOf(code({ code: 'Welcome20' }))).toBe('code');
    await stripe.promotionCodes.update('promo_welcome20', { active: false });
    expect(await code({ code: 'Welcome20' })).toMatchObject({ code: 'Welcome20', active: true });
    expect(await paramOf(newCheckout(stripe, { ...WELCOME, allow_promotion_codes: true }))).toBe('discounts');
    expect(await paramOf(newCheckout(stripe, { discounts: [{ promotion_code: 'promo_none' }] }))).toBe(
      'discounts[0][promotion_code]',
    );
  });

  it('are refused with incomplete coupons', async () => {
    const refusal = (params: Stripe.CouponCreateParams) => paramOf(stripe.coupons.create(params));
    expect(await refusal({})).toBe('percent_off');
    expect(await refusal({ percent_off: 20, amount_off: 5, currency: 'usd' })).toBe('percent_off');
    expect(await refusal({ percent_off: 120 })).toBe('percent_off');
    expect(await refusal({ amount_off: 5 })).toBe('currency');
    expect(await refusal({ percent_off: 5, duration: 'repeating' })).toBe('duration_in_months');
    expect(await refusal({ id: 'welcome20', percent_off: 5 })).toBe('id');
    const late = await stripe.coupons.create({ percent_off: 5, redeem_by: NOVEMBER.getTime() / 1000 + 5 });
    await processor.advance(10);
    expect((await stripe.coupons.retrieve(late.id)).valid).toBe(false);
    expect(await paramOf(newCheckout(stripe, { discounts: [{ coupon: late.id }] }))).toBe('discounts[0][coupon]');
    expect(await stripe.coupons.del(late.id)).toMatchObject({ deleted: true });
    expect((await stripe.coupons.list()).data.map(({ id }) => id)).toEqual(['welcome20']);
    expect((await failureOf(stripe.coupons.retrieve(late.id)))!.code).toBe('resource_missing');
  });

  it('of seeded subscriptions apply to their quantity and interval', async () => {
    const [{ subscriptionId: id }] = processor.seedSubscriptions(['tenant-1'], () => ({
      price: 'price_pro_yearly',
      quantity: 12,
      coupon: 'welcome20',
      currency: 'eur',
    }));
    const subscription = await stripe.subscriptions.retrieve(id);
    expect(subscription).toMatchObject({ currency: 'eur', items: { data: [{ quantity: 12 }] } });
    const { current_period_start: start, current_period_end: end } = subscription.items.data[0];
    expect(end - start).toBe(365 * DAY);
    expect(subscription.discounts).toHaveLength(1);
    await processor.advance(365 * DAY);
    expect(await totals(subscription)).toEqual([38_000]);
  });
});
