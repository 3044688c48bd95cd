import { CommandBus } from '@nestjs/cqrs';
import { clientOf } from '../../../dev/stripe/stand-in-client';
import { FoldRowCounts } from '../../../src/admin/commands/fold-row-counts';
import { CataloguePrices } from '../../../src/billing/catalogue/services/catalogue-prices';
import { RefreshPriceAmounts } from '../../../src/billing/revenue/commands/refresh-price-amounts';
import { TestApp } from '../../support/app';
import { BilledSubscriptions, lineIn } from '../../support/billed-subscriptions';
import { checkoutCompleted, newSubscriber, subscriptionDeleted } from '../../support/stripe-events';

describe('what changes the revenue', () => {
  let t: TestApp;
  let subscriptions: BilledSubscriptions;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true, env: { WORKER: 'off' } });
    subscriptions = await BilledSubscriptions.of(t);
    await t.nest.get(CataloguePrices).find('Pro', 'month'); // reads all prices at Stripe
  });
  afterAll(() => t.close());
  /** Movements are those of a day. */
  beforeEach(() => subscriptions.passDays(1));

  const today = async (plan = 'Pro', currency: string | null = 'usd') =>
    lineIn((await subscriptions.revenue()).today, plan, currency);

  it('is counted on its day: a trial that starts, converts and ends', async () => {
    const { subscriber } = await subscriptions.add({ status: 'trialing' });
    const lost = await subscriptions.add({ status: 'trialing', currency: 'eur' });
    await subscriptions.change(lost.subscriber, { status: 'canceled', currency: 'eur' });
    expect(await today()).toEqual({ trialing: 1, trialMrr: 2900, trialsStarted: 1 });
    expect(await today('Pro', 'eur')).toEqual({ trialsStarted: 1 });
    await subscriptions.passDays(1);
    await subscriptions.change(subscriber);
    expect(await today()).toEqual({ active: 1, mrr: 2900, conversions: 1 });
    await subscriptions.passDays(1);
    const ended = subscriptionDeleted(subscriber);
    await subscriptions.billing.take(ended, ended); // delivered twice
    expect(await today()).toEqual({ churned: 1, churnedMrr: 2900 });
    const { days } = await subscriptions.revenue();
    expect(days.slice(-2)).toMatchObject([{ recordedAt: null }, { recordedAt: null }]);
    expect(days.slice(-2).map((day) => lineIn(day, 'Pro', 'usd'))).toEqual([{ trialsStarted: 1 }, { conversions: 1 }]);
  });

  it('counts a trial that starts by a checkout in its currency', async () => {
    const owner = await t.actors.owner();
    const event = checkoutCompleted(newSubscriber(owner.tenantId), { rest: { currency: 'eur' } });
    await subscriptions.billing.take(event);
    expect(await today('Pro', 'eur')).toMatchObject({ trialsStarted: 1 });
    expect(await today('Pro', null)).toEqual({});
  });

  it('counts every time that a tenant leaves, comes back and leaves again on one day', async () => {
    const { owner, subscriber } = await subscriptions.add({ price: 'price_business_monthly' });
    await subscriptions.change(subscriber, { status: 'canceled' });
    const again = newSubscriber(owner.tenantId);
    const renewed = { ...again, customerId: subscriber.customerId };
    const created = { created: 1_800_000_000 };
    await subscriptions.change(renewed, { rest: created });
    expect(await today()).toEqual({ active: 1, mrr: 2900 });
    await subscriptions.change(renewed, { status: 'canceled', rest: created });
    expect(await today('Business')).toEqual({ churned: 1, churnedMrr: 9900 });
    expect(await today()).toEqual({ churned: 1, churnedMrr: 2900 });
  });

  it('is exact when many leave at once, while the counts are folded', async () => {
    const added = [];
    for (let index = 0; index < 12; index++)
      added.push(await subscriptions.add({ price: index % 2 ? 'price_business_monthly' : 'price_pro_monthly' }));
    expect([await today(), await today('Business')]).toEqual([
      { active: 6, mrr: 6 * 2900 },
      { active: 6, mrr: 6 * 9900 },
    ]);
    await Promise.all([
      ...added.map(({ subscriber }) => subscriptions.billing.deliver(subscriptionDeleted(subscriber))),
      ...[1, 2, 3].map(() => t.nest.get(CommandBus).execute(new FoldRowCounts())),
    ]);
    expect(await today()).toEqual({ churned: 6, churnedMrr: 6 * 2900 });
    expect(await today('Business')).toEqual({ churned: 6, churnedMrr: 6 * 9900 });
  });

  it('may be an operator: a status that is set counts as one', async () => {
    const { owner } = await subscriptions.add({ status: 'past_due' });
    await t.api
      .patch(`/admin/tenants/${owner.tenantId}/subscription`)
      .set(subscriptions.admin.bearer)
      .send({ status: 'Canceled', reason: 'Chargeback' })
      .expect(200);
    expect(await today()).toEqual({ churned: 1, churnedMrr: 2900 });
  });

  it('has the amount of its price also after it was replaced, which is read once if it was never known', async () => {
    const stripe = clientOf(t.processor);
    const replaced = await stripe.prices.create({
      product: 'prod_pro',
      currency: 'usd',
      unit_amount: 1900,
      recurring: { interval: 'month' },
      metadata: { plan: 'Pro', interval: 'month' },
    });
    const { subscriber } = await subscriptions.add({ price: replaced.id });
    // as another instance has remembered it from a reading of subscriptions
    const known = `INSERT INTO known_prices (price_id, plan, billing_interval, first_seen_at)
      VALUES ($1, 'Pro', 'month', now())`;
    await t.database.query(known, [replaced.id]);
    await t.database.query(`UPDATE subscriptions SET plan = 'Pro' WHERE tenant_id = $1`, [subscriber.tenantId]);
    expect(await today()).toEqual({ active: 1, unpriced: 1 });
    const refresh = () => t.nest.get(CommandBus).execute(new RefreshPriceAmounts());
    const readings = () => t.processor.calls.get('GET /v1/prices/{id}') ?? 0;
    const before = readings();
    await refresh();
    expect(await today()).toEqual({ active: 1, mrr: 1900 });
    await refresh();
    expect(readings() - before).toBe(1);
    const other = await TestApp.start({ beside: t, processor: true, env: { WORKER: 'off' } });
    await subscriptions.change(subscriber, { price: replaced.id, status: 'canceled' });
    expect(await today()).toEqual({ churned: 1, churnedMrr: 1900 });
    await other.close();
  });

  it('counts no trial for a purchase free of charge of a tenant that had its trial, and one for a trial', async () => {
    const coupon = await clientOf(t.processor).coupons.create({ percent_off: 100, duration: 'forever' });
    const promotion = { type: 'coupon', coupon: coupon.id } as const;
    await clientOf(t.processor).promotionCodes.create({ promotion, code: 'ALLFREE' });
    const buy = async (hadTrial: boolean) => {
      const owner = await t.actors.owner();
      const sql = `INSERT INTO subscriptions (tenant_id, plan, status, had_trial, updated_at)
        VALUES ($1, 'Free', 'Active', $2, now())`;
      await t.database.query(sql, [owner.tenantId, hadTrial]);
      const order = { planName: 'Pro', promotionCode: 'ALLFREE' };
      const { body } = await t.api.post('/billing/checkout').set(owner.bearer).send(order).expect(200);
      await t.processor.customerActions.pay(body.data.checkoutUrl as string);
      await t.processor.drain();
      return subscriptions.billing.subscription(owner);
    };
    expect(await buy(true)).toMatchObject({ status: 'Active', trialEndsAt: null });
    expect((await today()).trialsStarted).toBeUndefined();
    expect(await buy(false)).toMatchObject({ status: 'Trialing', trialEndsAt: expect.any(String) });
    expect((await today()).trialsStarted).toBe(1);
    expect((await today()).conversions).toBeUndefined();
  });
});
