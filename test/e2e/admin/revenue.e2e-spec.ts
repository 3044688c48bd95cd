import { CommandBus } from '@nestjs/cqrs';
import { CataloguePrices } from '../../../src/billing/catalogue/services/catalogue-prices';
import { PurgeBillingDays } from '../../../src/billing/revenue/commands/purge-billing-days';
import { RecordBillingDay } from '../../../src/billing/revenue/commands/record-billing-day';
import { addSeconds, DAY } from '../../../src/platform/clock';
import type { Bearer } from '../../support/actors';
import { TestApp } from '../../support/app';
import { BilledSubscriptions, lineIn } from '../../support/billed-subscriptions';
import { codeOf } from '../../support/error-code';

const TWENTY_PERCENT = { discount: { coupon: { percent_off: 20, duration: 'forever' } } };
const ONCE = { discount: { coupon: { percent_off: 20, duration: 'once' } } };

describe('the revenue for operators', () => {
  let t: TestApp;
  let subscriptions: BilledSubscriptions;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true, env: { WORKER: 'off' } });
    subscriptions = await BilledSubscriptions.of(t);
  });
  afterAll(() => t.close());

  const record = (app = t) => app.nest.get(CommandBus).execute(new RecordBillingDay());
  const dayBefore = (days: number) =>
    addSeconds(t.clock.now(), -days * DAY)
      .toISOString()
      .slice(0, 10);

  it('is nothing in a new service: today without lines, and no days', async () => {
    const revenue = await subscriptions.revenue();
    expect(revenue).toEqual({ today: { day: dayBefore(0), recordedAt: expect.any(String), lines: [] }, days: [] });
  });

  it('counts a subscription without a known amount, and never as zero in silence', async () => {
    const { subscriber } = await subscriptions.add();
    expect(lineIn((await subscriptions.revenue()).today, 'Pro', 'usd')).toEqual({ active: 1, unpriced: 1 });
    await t.nest.get(CataloguePrices).find('Pro', 'month'); // reads all prices at Stripe
    expect(lineIn((await subscriptions.revenue()).today, 'Pro', 'usd')).toEqual({ active: 1, mrr: 2900 });
    await subscriptions.change(subscriber, { status: 'canceled' });
  });

  it('is the sum by plan and currency of what is paid, with trials apart', async () => {
    await subscriptions.add({ seats: 12 });
    await subscriptions.add({ rest: TWENTY_PERCENT });
    await subscriptions.add({ rest: ONCE });
    await subscriptions.add({ status: 'past_due' });
    await subscriptions.add({ price: 'price_pro_yearly', currency: 'eur', seats: 11 });
    await subscriptions.add({ price: 'price_business_monthly' });
    await subscriptions.add({ price: 'price_business_monthly', status: 'trialing' });
    await subscriptions.add({ price: 'price_of_nobody' });
    for (const status of ['canceled', 'paused', 'incomplete']) await subscriptions.add({ status });
    await subscriptions.add({ rest: { pause_collection: { behavior: 'void' } } });
    const { today } = await subscriptions.revenue();
    const proInDollars = { active: 3, pastDue: 1, mrr: 4100 + 2320 + 2900 + 2900, pastDueMrr: 2900 };
    expect(lineIn(today, 'Pro', 'usd')).toMatchObject(proInDollars);
    expect(lineIn(today, 'Pro', 'eur')).toEqual({ active: 1, mrr: 2708 });
    const business = { active: 1, trialing: 1, mrr: 9900, trialMrr: 9900, trialsStarted: 1 };
    expect(lineIn(today, 'Business', 'usd')).toEqual(business);
    expect(lineIn(today, 'Free', 'usd')).toEqual({ active: 1, unpriced: 1 });
    expect(today.lines).toHaveLength(4);
  });

  it('does not count what an operator gives: neither an entitlement nor a status without a subscription', async () => {
    const before = (await subscriptions.revenue()).today.lines;
    const { tenantId } = await t.actors.owner();
    const [endsAt, reason] = [addSeconds(t.clock.now(), DAY), 'A pilot'];
    await t.api
      .put(`/admin/tenants/${tenantId}/entitlements`)
      .set(subscriptions.admin.bearer)
      .send({ plan: 'Pro', endsAt, reason })
      .expect(200);
    await t.api
      .patch(`/admin/tenants/${tenantId}/subscription`)
      .set(subscriptions.admin.bearer)
      .send({ plan: 'Pro', status: 'Active', reason })
      .expect(200);
    expect((await subscriptions.revenue()).today.lines).toEqual(before);
  });

  it('of a day is recorded once, however often and on however many instances the job runs', async () => {
    const other = await TestApp.start({ beside: t, processor: true, env: { WORKER: 'off' } });
    await record();
    await Promise.all([record(), record(other), record(), record(other)]);
    await other.close();
    const { today, days } = await subscriptions.revenue();
    expect(days).toEqual([]); // the current day is shown as it is now
    await subscriptions.passDays(1);
    const [recorded] = (await subscriptions.revenue()).days;
    expect(recorded).toEqual({ ...today, recordedAt: expect.any(String), lines: expect.any(Array) });
    expect(new Set(recorded.lines)).toEqual(new Set(today.lines));
  });

  it('shows what was last recorded of a day, and a day that was not recorded as a gap', async () => {
    const { subscriber } = await subscriptions.add({ currency: 'eur' });
    await record();
    await subscriptions.change(subscriber, { status: 'past_due', currency: 'eur' });
    await record();
    await subscriptions.passDays(3);
    await record();
    await subscriptions.passDays(1);
    const { days } = await subscriptions.revenue();
    expect(days.map(({ day }) => day)).toEqual([dayBefore(5), dayBefore(4), dayBefore(1)]);
    const past = { active: 1, pastDue: 1, mrr: 2708 + 2700, pastDueMrr: 2700 };
    expect(days.map((day) => lineIn(day, 'Pro', 'eur'))).toEqual([{ active: 1, mrr: 2708 }, past, past]);
    expect((await subscriptions.revenue(4)).days.map(({ day }) => day)).toEqual([dayBefore(4), dayBefore(1)]);
  });

  it('is refused to others and for too many days', async () => {
    const owner = await t.actors.owner();
    const ask = (by: Bearer, days: unknown) => t.api.get(`/admin/revenue?days=${String(days)}`).set(by.bearer);
    expect(codeOf(await ask(owner, 30).expect(403))).toBe('FORBIDDEN');
    const impersonating = await t.actors.impersonating(subscriptions.admin, owner);
    expect(codeOf(await ask(impersonating, 30).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
    for (const days of [0, 367, 'all', 1.5]) await ask(subscriptions.admin, days).expect(400);
    await ask(subscriptions.admin, 366).expect(200);
  });

  it('is kept for three years', async () => {
    const add = `INSERT INTO billing_days (day, plan, currency) VALUES ($1, 'Pro', 'usd')`;
    for (const age of [1095, 1097]) await t.database.query(add, [dayBefore(age)]);
    await t.nest.get(CommandBus).execute(new PurgeBillingDays());
    const left = await t.database.query('SELECT day::text FROM billing_days WHERE day < $1', [dayBefore(366)]);
    expect(left).toEqual([{ day: dayBefore(1095) }]);
  });
});
