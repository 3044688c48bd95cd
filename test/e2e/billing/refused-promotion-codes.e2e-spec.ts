import type Stripe from 'stripe';
import { clientOf } from '../../../dev/stripe/stand-in-client';
import { StripePromotionCodes } from '../../../src/billing/stripe/stripe-promotion-codes';
import { DAY } from '../../../src/platform/clock';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { codeOf } from '../../support/error-code';

type CodeParams = Omit<Stripe.PromotionCodeCreateParams, 'promotion' | 'code'>;

describe('a promotion code that is found, but that Stripe refuses for the checkout', () => {
  let t: TestApp;
  let billing: Billing;
  let stripe: Stripe;
  let coupon: Stripe.Coupon;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
    stripe = clientOf(t.processor);
    coupon = await stripe.coupons.create({ percent_off: 20, duration: 'forever' });
  });
  afterAll(() => t.close());
  afterEach(() => jest.restoreAllMocks());

  let created = 0;
  const newCode = (params: CodeParams = {}, of = coupon.id) =>
    stripe.promotionCodes.create({ ...params, promotion: { type: 'coupon', coupon: of }, code: `CODE${++created}` });
  const checkout = (by: Member, promotionCode?: string, more: object = {}) =>
    t.api
      .post('/billing/checkout')
      .set(by.bearer)
      .send({ planName: 'Pro', promotionCode, ...more });
  const openSessions = (owner: Member) => t.processor.openSessions(billing.customersOf(owner)[0].id);

  /** The code is refused, a checkout that was open before is closed, and one without it starts. */
  const expectRefused = async (owner: Member, { code }: Stripe.PromotionCode) => {
    await checkout(owner).expect(200);
    const refused = await checkout(owner, code).expect(400);
    expect(codeOf(refused)).toBe('VALIDATION_ERROR');
    expect(refused.body.error.details).toEqual({ promotionCode: ['cannot be used for this subscription'] });
    expect(openSessions(owner)).toEqual([]);
    await checkout(owner).expect(200);
    expect(openSessions(owner)).toHaveLength(1);
  };

  /** A tenant that has paid for a subscription, which has ended. */
  const formerCustomer = async (): Promise<Member> => {
    const owner = await t.actors.owner();
    const sql = `INSERT INTO subscriptions (tenant_id, plan, status, had_trial, updated_at)
      VALUES ($1, 'Free', 'Active', true, now())`;
    await t.database.query(sql, [owner.tenantId]);
    await t.processor.customerActions.pay(await billing.checkout(owner));
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    await t.processor.customerActions.cancelNow((await billing.subscription(owner)).processorSubscriptionId!);
    await t.processor.drain();
    return owner;
  };

  it('is not one for another customer: several can have codes with the same text', async () => {
    const [one, other, third] = [await t.actors.owner(), await t.actors.owner(), await t.actors.owner()];
    for (const owner of [one, other, third]) await checkout(owner).expect(200);
    const codeFor = (owner: Member) =>
      stripe.promotionCodes.create({
        promotion: { type: 'coupon', coupon: coupon.id },
        code: 'COMEBACK',
        customer: billing.customersOf(owner)[0].id,
      });
    await codeFor(one);
    await codeFor(other);
    await checkout(one, 'COMEBACK').expect(200);
    await checkout(other, 'COMEBACK').expect(200);
    const { details } = (await checkout(third, 'COMEBACK').expect(400)).body.error;
    expect(details).toEqual({ promotionCode: ['is unknown, or no longer valid'] });
  });

  it('because it was deactivated in between', async () => {
    const owner = await t.actors.owner();
    const code = await newCode();
    const codes = t.nest.get(StripePromotionCodes, { strict: false });
    const find = codes.find.bind(codes);
    jest.spyOn(codes, 'find').mockImplementation(async (...wanted) => {
      const found = await find(...wanted);
      await stripe.promotionCodes.update(code.id, { active: false });
      return found;
    });
    await expectRefused(owner, code);
  });

  it('because it has expired', async () => {
    const seconds = Math.floor(t.processor.now().getTime() / 1000);
    const code = await newCode({ expires_at: seconds + DAY });
    await checkout(await t.actors.owner(), code.code).expect(200);
    await t.processor.advance(2 * DAY);
    await expectRefused(await t.actors.owner(), code);
  });

  it('because it was redeemed as often as it may be', async () => {
    const code = await newCode({ max_redemptions: 1 });
    const first = await checkout(await t.actors.owner(), code.code).expect(200);
    await t.processor.customerActions.pay(first.body.data.checkoutUrl as string);
    await expectRefused(await t.actors.owner(), code);
  });

  it('because its coupon is used up', async () => {
    const scarce = await stripe.coupons.create({ percent_off: 10, duration: 'once', max_redemptions: 1 });
    const code = await newCode({}, scarce.id);
    const first = await checkout(await t.actors.owner(), code.code).expect(200);
    await t.processor.customerActions.pay(first.body.data.checkoutUrl as string);
    await expectRefused(await t.actors.owner(), code);
  });

  it('because it is for first payments only', async () => {
    const code = await newCode({ restrictions: { first_time_transaction: true } });
    await checkout(await t.actors.owner(), code.code).expect(200);
    await expectRefused(await formerCustomer(), code);
  });

  it('because the amount is too small, which only the message says', async () => {
    const restrictions = { minimum_amount: 10_000, minimum_amount_currency: 'usd' };
    const code = await newCode({ restrictions });
    await checkout(await t.actors.owner(), code.code, { interval: 'year' }).expect(200);
    await expectRefused(await t.actors.owner(), code);
  });

  it('is no reason to blame the code for another refusal', async () => {
    const owner = await t.actors.owner();
    await checkout(owner).expect(200);
    t.processor.injectFault('rate-limit', 1, 'POST /v1/checkout/sessions');
    expect(codeOf(await checkout(owner, (await newCode()).code).expect(503))).toBe('BILLING_UNAVAILABLE');
  });
});
