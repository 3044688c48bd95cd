import { clientOf } from '../../../dev/stripe/stand-in-client';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';

const PAGE = {
  PROCESSOR_PROMOTION_CODES: 'true',
  PROCESSOR_AUTOMATIC_TAX: 'true',
  PROCESSOR_TAX_IDS: 'true',
  PROCESSOR_BILLING_ADDRESS: 'required',
};

describe('the terms of a checkout', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  const start = (by: Member, body: object, app = t) =>
    app.api
      .post('/billing/checkout')
      .set(by.bearer)
      .send({ planName: 'Pro', ...body });
  const sent = () => billing.postsTo('/v1/checkout/sessions').at(-1)!.params;
  const urlOf = async (by: Member, body: object) => (await start(by, body).expect(200)).body.data.checkoutUrl as string;

  it('are interval, currency and the number of members', async () => {
    const owner = await t.actors.owner();
    await t.actors.member(owner);
    const url = await urlOf(owner, { interval: 'year', currency: 'eur' });
    expect(sent()).toMatchObject({
      currency: 'eur',
      line_items: [{ price: 'price_pro_yearly', quantity: '2' }],
      subscription_data: { trial_period_days: '14' },
    });
    expect(sent()).not.toHaveProperty('allow_promotion_codes');
    await t.processor.customerActions.pay(url);
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    expect(await billing.subscription(owner)).toMatchObject({
      plan: 'Pro',
      interval: 'year',
      currency: 'eur',
      seats: 2,
      discount: null,
      pendingChange: null,
    });
  });

  it('belong to the offer: the same is reused, another interval, currency or number of seats is not', async () => {
    const owner = await t.actors.owner();
    const monthly = await urlOf(owner, {});
    expect(await urlOf(owner, { interval: 'month' })).toBe(monthly);
    const yearly = await urlOf(owner, { interval: 'year' });
    const euros = await urlOf(owner, { interval: 'year', currency: 'eur' });
    await t.actors.member(owner);
    const larger = await urlOf(owner, { interval: 'year', currency: 'eur' });
    expect(new Set([monthly, yearly, euros, larger]).size).toBe(4);
    expect(t.processor.openSessions(billing.customersOf(owner)[0].id)).toMatchObject([{ url: larger }]);
  });

  it('refuse what does not exist', async () => {
    const owner = await t.actors.owner();
    const refused = async (body: object) => (await start(owner, body).expect(400)).body.error.details;
    expect(await refused({ interval: 'week' })).toEqual({ interval: ['must be one of month, year'] });
    expect(await refused({ currency: 'chf' })).toEqual({ currency: ['must be one of usd, eur'] });
    expect(await refused({ promotionCode: 'UNKNOWN' })).toEqual({
      promotionCode: ['is unknown, or no longer valid'],
    });
  });

  it('take a promotion code, which the subscription shows as its discount', async () => {
    const stripe = clientOf(t.processor);
    const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'forever' });
    const promotion = { type: 'coupon', coupon: coupon.id } as const;
    await stripe.promotionCodes.create({ promotion, code: 'SUMMER20' });
    const spent = await stripe.promotionCodes.create({ promotion, code: 'SPENT20' });
    await stripe.promotionCodes.update(spent.id, { active: false });
    const owner = await t.actors.owner();
    await start(owner, { promotionCode: 'SPENT20' }).expect(400);
    await t.processor.customerActions.pay(await urlOf(owner, { promotionCode: 'summer20' }));
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', discount: '20%' });
  });

  it('are asked for on the page as the settings say', async () => {
    const asking = await TestApp.start({ processor: true, beside: t, env: PAGE });
    await start(await t.actors.owner(), {}, asking).expect(200);
    expect(sent()).toMatchObject({
      allow_promotion_codes: 'true',
      automatic_tax: { enabled: 'true' },
      tax_id_collection: { enabled: 'true' },
      billing_address_collection: 'required',
      customer_update: { address: 'auto', name: 'auto' },
    });
    await asking.close();
  });
});
