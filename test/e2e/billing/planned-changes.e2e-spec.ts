import { clientOf } from '../../../dev/stripe/stand-in-client';
import { BillingFailures } from '../../../src/billing/billing.failures';
import { StripeSubscriptions } from '../../../src/billing/stripe/stripe-subscriptions';
import { err } from '../../../src/platform/result';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { codeOf } from '../../support/error-code';

describe('what is planned for a subscription', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  const post = (by: Member, path: string, body: object = {}) =>
    t.api.post(`/billing/${path}`).set(by.bearer).send(body);
  const change = (by: Member, body: object) => post(by, 'change', { when: 'now', ...body });
  const preview = async (by: Member, body: object) =>
    (await change(by, { preview: true, ...body }).expect(200)).body.data.preview as { nextAmount: number };

  /** A tenant that has paid for Pro: it had its trial before. */
  const paying = async (checkout: object = {}): Promise<Member> => {
    const owner = await t.actors.owner();
    const sql = `INSERT INTO subscriptions (tenant_id, plan, status, had_trial, updated_at)
      VALUES ($1, 'Free', 'Active', true, now())`;
    await t.database.query(sql, [owner.tenantId]);
    const { body } = await post(owner, 'checkout', { planName: 'Pro', ...checkout }).expect(200);
    await t.processor.customerActions.pay(body.data.checkoutUrl as string);
    await post(owner, 'sync').expect(200);
    return owner;
  };
  const atStripe = async (owner: Member) =>
    t.processor.subscription((await billing.subscription(owner)).processorSubscriptionId!);
  const useCard = (owner: Member, card: 'good' | 'declining') =>
    t.processor.customerActions.useCard(billing.customersOf(owner)[0].id, card);

  it('stays if the card is declined: a cancellation', async () => {
    const owner = await paying();
    await post(owner, 'cancel').expect(200);
    await useCard(owner, 'declining');
    expect(codeOf(await change(owner, { planName: 'Business' }).expect(402))).toBe('PAYMENT_FAILED');
    expect(await atStripe(owner)).toMatchObject({ cancel_at_period_end: true });
    await useCard(owner, 'good');
    const { body } = await change(owner, { planName: 'Business' }).expect(200);
    expect(body.data.subscription).toMatchObject({ plan: 'Business', cancelAtPeriodEnd: false });
  });

  it('stays if the card is declined: a change', async () => {
    const owner = await paying();
    await change(owner, { planName: 'Pro', interval: 'year', when: 'period-end' }).expect(200);
    await useCard(owner, 'declining');
    expect(codeOf(await change(owner, { planName: 'Business' }).expect(402))).toBe('PAYMENT_FAILED');
    expect(await atStripe(owner)).toMatchObject({ schedule: expect.any(String) });
    expect(await billing.subscription(owner)).toMatchObject({ pendingChange: { plan: 'Pro', interval: 'year' } });
  });

  it('is canceled once: Free again changes nothing, and notifies the Owner once', async () => {
    const owner = await paying();
    await post(owner, 'cancel').expect(200);
    await t.processor.advance(5);
    await change(owner, { planName: 'Free' }).expect(200);
    await t.processor.drain();
    expect(await billing.subscription(owner)).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await billing.notifications(owner)).toEqual(['SubscriptionCanceled']);
  });

  it.each(['now', 'period-end'])('is previewed (%s) as if nothing else was planned', async (when) => {
    const owner = await paying();
    await post(owner, 'cancel').expect(200);
    expect(await preview(owner, { planName: 'Business', when })).toMatchObject({ nextAmount: 9900 });
    await change(owner, { planName: 'Business', when: 'period-end' }).expect(200);
    expect(await preview(owner, { planName: 'Pro', interval: 'year', when })).toMatchObject({ nextAmount: 29_000 });
  });

  it('is answered with 200 even if Stripe cannot be read afterwards, because it was made', async () => {
    const owner = await paying();
    const subscriptions = t.nest.get(StripeSubscriptions, { strict: false });
    const list = subscriptions.listOfCustomer.bind(subscriptions);
    const reading = jest
      .spyOn(subscriptions, 'listOfCustomer')
      .mockImplementationOnce(list)
      .mockResolvedValueOnce(err(BillingFailures.unavailable));
    const { body } = await change(owner, { planName: 'Business' }).expect(200);
    reading.mockRestore();
    expect(body.data).toMatchObject({ preview: null, subscription: { status: 'Active' } });
    await t.processor.drain();
    await billing.untilJobsAreDone('sync-subscription'); // an event of the same second leads to another reading
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
  });

  it('keeps the discount', async () => {
    const stripe = clientOf(t.processor);
    const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'forever' });
    await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'ALWAYS20' });
    const owner = await paying({ promotionCode: 'ALWAYS20' });
    const { nextAmount } = await preview(owner, { planName: 'Business', when: 'period-end' });
    expect(nextAmount).toBe(7920);
    await change(owner, { planName: 'Business', when: 'period-end' }).expect(200);
    await t.processor.advance(32 * 86_400);
    await t.processor.drain();
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business', discount: '20%' });
    const { body } = await t.api.get('/billing/invoices').set(owner.bearer).expect(200);
    expect(body.data.items[0]).toMatchObject({ amount: nextAmount });
  });
});
