import type Stripe from 'stripe';
import { subscribed } from './stand-in-checkouts';
import { clientOf, failureOf } from './stand-in-client';
import { StripeStandIn } from './stripe-stand-in';

const DAY = 24 * 60 * 60;
/** A month of 30 days. */
const NOVEMBER = new Date('2026-11-01T00:00:00Z');

describe('Schedules of the stand-in', () => {
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

  const typesSince = (count: number) =>
    processor
      .events()
      .slice(count)
      .map(({ type }) => type);

  /** Plans a change of the price at the end of the current period. */
  async function planned(
    subscription: Stripe.Subscription,
    price: string,
    more: Stripe.SubscriptionScheduleUpdateParams = {},
  ): Promise<Stripe.SubscriptionSchedule> {
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const [{ start_date, end_date, items }] = phases;
    const current = { start_date, end_date, items: [{ price: items[0].price as string, quantity: items[0].quantity }] };
    const next = { items: [{ price, quantity: 2 }], proration_behavior: 'none' as const };
    return stripe.subscriptionSchedules.update(id, { phases: [current, next], ...more });
  }
  const latest = async ({ id }: Stripe.Subscription) => (await stripe.invoices.list({ subscription: id })).data[0];
  const read = ({ id }: Stripe.Subscription) => stripe.subscriptions.retrieve(id, { expand: ['schedule'] });

  it('change the plan at the end of the period, and end after their last phase', async () => {
    const subscription = await subscribed(processor, stripe, {
      line_items: [{ price: 'price_business_monthly', quantity: 1 }],
    });
    const schedule = await planned(subscription, 'price_pro_monthly');
    const end = subscription.items.data[0].current_period_end;
    expect(schedule).toMatchObject({
      status: 'active',
      current_phase: { end_date: end },
      phases: [{ end_date: end }, { start_date: end, items: [{ price: 'price_pro_monthly', quantity: 2 }] }],
    });
    expect(await read(subscription)).toMatchObject({
      schedule: { id: schedule.id },
      items: { data: [{ price: { id: 'price_business_monthly' } }] },
    });
    const preview = await stripe.invoices.createPreview({ schedule: schedule.id });
    expect([preview.total, preview.lines.data[0].quantity]).toEqual([2900, 2]);
    const count = processor.events().length;
    await processor.advance(30 * DAY);
    expect(await latest(subscription)).toMatchObject({ total: 2900, billing_reason: 'subscription_cycle' });
    expect(await read(subscription)).toMatchObject({
      items: { data: [{ price: { id: 'price_pro_monthly' }, quantity: 2, current_period_start: end }] },
    });
    expect(typesSince(count)).toEqual([
      'customer.subscription.updated',
      'subscription_schedule.updated',
      'customer.subscription.updated',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
    await processor.advance(31 * DAY);
    expect((await read(subscription)).schedule).toBeNull();
    const released = { status: 'released', released_subscription: subscription.id, subscription: null };
    expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject(released);
    expect((await latest(subscription)).total).toBe(2900);
  });

  it('change the interval at the end of the period or of the trial', async () => {
    const trial = await subscribed(processor, stripe, { subscription_data: { trial_period_days: 14 } });
    const paid = await subscribed(processor, stripe);
    for (const subscription of [trial, paid]) await planned(subscription, 'price_pro_yearly');
    await processor.advance(14 * DAY);
    expect((await latest(trial)).total).toBe(29_000);
    expect((await latest(paid)).total).toBe(2900);
    await processor.advance(16 * DAY);
    expect((await latest(paid)).total).toBe(29_000);
    const { current_period_start: start, current_period_end: end } = (await read(paid)).items.data[0];
    expect([start, end - start]).toEqual([NOVEMBER.getTime() / 1000 + 30 * DAY, 365 * DAY]);
  });

  it('are part of the preview before they are saved', async () => {
    const subscription = await subscribed(processor, stripe);
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const { start_date, end_date } = phases[0];
    const current = { start_date, end_date, items: [{ price: 'price_pro_monthly', quantity: 1 }] };
    const next = { items: [{ price: 'price_business_monthly', quantity: 1 }] };
    const details = { phases: [current, next] };
    expect((await stripe.invoices.createPreview({ schedule: id, schedule_details: details })).total).toBe(9900);
    expect((await stripe.invoices.createPreview({ subscription: subscription.id })).total).toBe(2900);
    expect((await failureOf(stripe.invoices.createPreview({ schedule: 'sub_sched_none' })))!.param).toBe('schedule');
  });

  it('can be released, which keeps the plan, or canceled together with the subscription', async () => {
    const [one, other] = [await subscribed(processor, stripe), await subscribed(processor, stripe)];
    const schedule = await planned(one, 'price_business_monthly');
    expect(await stripe.subscriptionSchedules.release(schedule.id)).toMatchObject({ status: 'released' });
    await processor.advance(30 * DAY);
    expect(await read(one)).toMatchObject({
      schedule: null,
      items: { data: [{ price: { id: 'price_pro_monthly' } }] },
    });
    const { id } = await planned(other, 'price_business_monthly');
    expect(await stripe.subscriptionSchedules.cancel(id)).toMatchObject({ status: 'canceled', current_phase: null });
    expect((await read(other)).status).toBe('canceled');
    expect((await failureOf(stripe.subscriptionSchedules.release(id)))!.message).toContain('`canceled` status');
    const { customer } = other;
    const { data } = await stripe.subscriptionSchedules.list({ customer: customer as string });
    expect(data).toMatchObject([{ id, status: 'canceled' }]);
  });

  it('can end the subscription, and end with it', async () => {
    const [one, other] = [await subscribed(processor, stripe), await subscribed(processor, stripe)];
    const { id } = await planned(one, 'price_pro_monthly', { end_behavior: 'cancel' });
    const schedule = await planned(other, 'price_pro_monthly');
    await stripe.subscriptions.cancel(other.id);
    expect((await stripe.subscriptionSchedules.retrieve(schedule.id)).status).toBe('canceled');
    await processor.advance(61 * DAY);
    expect((await read(one)).status).toBe('canceled');
    expect((await stripe.subscriptionSchedules.retrieve(id)).status).toBe('completed');
  });

  it('follow changes of the current phase, and of the quantity', async () => {
    const subscription = await subscribed(processor, stripe);
    const { id } = await planned(subscription, 'price_business_monthly');
    await stripe.subscriptions.update(subscription.id, { items: [{ id: subscription.items.data[0].id, quantity: 5 }] });
    const { phases } = await stripe.subscriptionSchedules.retrieve(id);
    expect(phases).toMatchObject([{ items: [{ quantity: 5 }] }, { items: [{ quantity: 2 }] }]);
    const { start_date, end_date } = phases[0];
    const items = [{ price: 'price_business_monthly', quantity: 5 }];
    await stripe.subscriptionSchedules.update(id, { phases: [{ start_date, end_date, items }] });
    expect((await read(subscription)).items.data[0].price.id).toBe('price_business_monthly');
  });

  it('move the end of a trial with what is planned for it', async () => {
    const trial = await subscribed(processor, stripe, { subscription_data: { trial_period_days: 14 } });
    const { id, phases } = await planned(trial, 'price_business_monthly');
    const [{ start_date, end_date, trial_end }] = phases;
    const items = [{ price: 'price_pro_monthly', quantity: 1 }];
    const later = end_date + 7 * DAY;
    const move = (end: number, trialEnd: number) => {
      const next = { items: [{ price: 'price_business_monthly', quantity: 1 }], start_date: end };
      return stripe.subscriptionSchedules.update(id, {
        phases: [{ items, start_date, end_date: end, trial_end: trialEnd }, next],
        proration_behavior: 'none',
      });
    };
    expect(trial_end).toBeNull(); // the parameters above did not say it
    expect((await failureOf(move(end_date, later)))!.param).toBe('phases[0][trial_end]');
    expect(await move(later, later)).toMatchObject({ phases: [{ trial_end: later }, { start_date: later }] });
    expect(await read(trial)).toMatchObject({ status: 'trialing', trial_end: later });
    await processor.advance(15 * DAY);
    expect(await read(trial)).toMatchObject({
      status: 'trialing',
      items: { data: [{ price: { id: 'price_pro_monthly' } }] },
    });
    await processor.advance(7 * DAY);
    expect(await read(trial)).toMatchObject({
      status: 'active',
      items: { data: [{ price: { id: 'price_business_monthly' } }] },
    });
    expect((await latest(trial)).total).toBe(9900);
  });

  it('refuse what Stripe refuses', async () => {
    const subscription = await subscribed(processor, stripe);
    const { id, phases } = await planned(subscription, 'price_business_monthly');
    const again = await failureOf(stripe.subscriptionSchedules.create({ from_subscription: subscription.id }));
    expect(again!.message).toContain('already attached to a schedule');
    const direct = await failureOf(stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }));
    expect(direct!.message).toContain('managed by the subscription schedule');
    const [{ start_date, end_date }] = phases;
    const items = [{ price: 'price_pro_monthly', quantity: 1 }];
    const paramOf = async (...changed: Stripe.SubscriptionScheduleUpdateParams.Phase[]) =>
      (await failureOf(stripe.subscriptionSchedules.update(id, { phases: changed })))!.param;
    expect(await paramOf({ items, start_date: start_date + 1, end_date })).toBe('phases[0][start_date]');
    expect(await paramOf({ items, end_date: start_date })).toBe('phases[0][end_date]');
    expect(await paramOf({ items, end_date }, { items, start_date: end_date + 1 })).toBe('phases[1][start_date]');
    expect(await paramOf({ items: [{ price: 'price_none' }], end_date })).toBe('phases[0][items][0][price]');
    expect((await failureOf(stripe.subscriptionSchedules.create({})))!.param).toBe('from_subscription');
    await processor.customerActions.cancelAtPeriodEnd(subscription.id);
    expect(await read(subscription)).toMatchObject({ schedule: null, cancel_at: end_date });
  });
});
