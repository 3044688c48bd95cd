import type Stripe from 'stripe';
import { failureOf } from './stand-in-client';
import { DAY, StandInFixture, TENANT } from './stand-in-fixture';
import type { StripeStandIn } from './stripe-stand-in';

describe('The lifecycle of subscriptions of the stand-in for Stripe', () => {
  let fixture: StandInFixture;
  let processor: StripeStandIn;
  let stripe: Stripe;

  beforeEach(async () => {
    fixture = await StandInFixture.start();
    ({ processor, stripe } = fixture);
  });

  afterEach(async () => {
    await fixture.stop();
    expect(processor.violations).toEqual([]);
  });

  it('ends the trial and renews each month, each event with its own timestamp', async () => {
    const subscription = await fixture.subscribed();
    const count = processor.events().length;
    await processor.advance(60 * DAY);
    const paid = ['customer.subscription.updated', 'invoice.paid', 'invoice.payment_succeeded'];
    expect(fixture.typesSince(count)).toEqual(['customer.subscription.trial_will_end', ...paid, ...paid]);
    const [willEnd, updated] = processor.events().slice(count);
    expect([willEnd.created, updated.created]).toEqual([subscription.trial_end! - 3 * DAY, subscription.trial_end]);
    expect(updated.data.previous_attributes).toMatchObject({
      status: 'trialing',
      items: { data: [{ current_period_end: subscription.trial_end }] },
    });
    const now = processor.subscription(subscription.id)!;
    expect(now.status).toBe('active');
    const [anchor, start] = [subscription.trial_end!, now.items.data[0].current_period_start].map(
      (time) => new Date(time * 1000),
    );
    expect(start.getUTCMonth()).toBe((anchor.getUTCMonth() + 1) % 12);
    expect((await stripe.customers.list()).lastResponse.headers.date).toBe(processor.now().toUTCString());
  });

  it('retries a failed payment until it succeeds', async () => {
    const subscription = await fixture.subscribed();
    await processor.customerActions.useCard(subscription.customer as string, 'declining');
    await processor.advance(14 * DAY);
    expect(fixture.statusOf(subscription)).toBe('past_due');
    const failed = processor.events().find(({ type }) => type === 'invoice.payment_failed')!;
    expect(failed.data.object).toMatchObject({
      attempt_count: 1,
      next_payment_attempt: subscription.trial_end! + 3 * DAY,
      status: 'open',
    });
    await processor.advance(3 * DAY);
    expect(fixture.statusOf(subscription)).toBe('past_due');
    const count = processor.events().length;
    await processor.customerActions.useCard(subscription.customer as string, 'good');
    expect(fixture.typesSince(count)).toEqual([
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
    ]);
    expect(fixture.statusOf(subscription)).toBe('active');
  });

  it('is no longer past due when the newest invoice is paid, also if nothing is due on it', async () => {
    const subscription = await fixture.subscribed();
    await processor.customerActions.changePlan(subscription.id, 'price_pro_yearly');
    await processor.customerActions.useCard(subscription.customer as string, 'declining');
    await processor.advance(14 * DAY);
    expect(fixture.statusOf(subscription)).toBe('past_due');
    const count = processor.events().length;
    await processor.customerActions.changePlan(subscription.id, 'price_pro_monthly');
    const [updated, paid] = processor.events().slice(count);
    expect(updated).toMatchObject({
      type: 'customer.subscription.updated',
      data: { object: { status: 'active' }, previous_attributes: { status: 'past_due' } },
    });
    expect(paid).toMatchObject({ type: 'invoice.paid', data: { object: { amount_due: 0 } } });
  });

  it('cancels the subscription after the last failed attempt', async () => {
    const subscription = await fixture.subscribed();
    await processor.customerActions.useCard(subscription.customer as string, 'declining');
    await processor.advance(40 * DAY);
    const failures = processor.events().filter(({ type }) => type === 'invoice.payment_failed');
    expect(failures.map(({ data }) => (data.object as Stripe.Invoice).attempt_count)).toEqual([1, 2, 3, 4]);
    expect(processor.events().at(-1)).toMatchObject({
      type: 'customer.subscription.deleted',
      data: { object: { status: 'canceled' } },
    });
    expect(await failureOf(stripe.invoices.pay((await stripe.invoices.list()).data[0].id))).toMatchObject({
      type: 'StripeCardError',
      code: 'card_declined',
    });
    expect((await stripe.subscriptions.list()).data).toEqual([]);
  });

  it('cancels at the end of the period, with a date or, in classic billing, with a flag', async () => {
    const [flexible, classic] = [await fixture.subscribed(), await fixture.subscribed()];
    await processor.customerActions.cancelAtPeriodEnd(flexible.id);
    expect(processor.subscription(flexible.id)).toMatchObject({
      cancel_at: flexible.trial_end,
      cancel_at_period_end: false,
      status: 'trialing',
    });
    processor.classicBilling = true;
    await processor.customerActions.cancelAtPeriodEnd(classic.id);
    expect(processor.subscription(classic.id)).toMatchObject({ cancel_at_period_end: true, status: 'trialing' });
    await processor.customerActions.resume(classic.id);
    expect(processor.subscription(classic.id)).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
    await processor.advance(15 * DAY);
    expect([fixture.statusOf(flexible), fixture.statusOf(classic)]).toEqual(['canceled', 'active']);
    expect(await failureOf(stripe.subscriptions.cancel(flexible.id))).toMatchObject({ code: 'resource_missing' });
  });

  it('pauses and resumes a subscription', async () => {
    const { id } = await fixture.subscribed({ hasTrial: false });
    const count = processor.events().length;
    await stripe.subscriptions.pause(id, { type: 'subscription' });
    await processor.advance(70 * DAY);
    expect(fixture.typesSince(count)).toEqual(['customer.subscription.paused', 'customer.subscription.updated']);
    await stripe.subscriptions.resume(id);
    expect(fixture.typesSince(count + 2)).toEqual([
      'customer.subscription.resumed',
      'customer.subscription.updated',
      'customer.subscription.updated',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
    await processor.customerActions.pauseCollection(id);
    expect(processor.subscription(id)).toMatchObject({
      status: 'active',
      pause_collection: { behavior: 'void', resumes_at: null },
    });
    await processor.customerActions.resume(id);
    expect(processor.events().at(-1)!.data.previous_attributes).toEqual({
      pause_collection: { behavior: 'void', resumes_at: null },
    });
  });

  it('changes the plan, metadata and trial end by the API', async () => {
    const { id, items } = await fixture.subscribed();
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: items.data[0].id, price: 'price_business_monthly' }],
      metadata: { note: 'x' },
    });
    expect(changed).toMatchObject({
      metadata: { ...TENANT, note: 'x' },
      items: { data: [{ price: { lookup_key: 'business_month' } }] },
    });
    expect(processor.events().at(-1)!.request).toMatchObject({
      idempotency_key: expect.stringContaining('stripe-node'),
    });
    expect(await stripe.subscriptions.update(id, { trial_end: 'now' })).toMatchObject({ status: 'active' });
    await processor.customerActions.changePlan(id, 'price_pro_monthly');
    await processor.customerActions.cancelNow(id);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'cancellation_requested' },
    });
  });
});
