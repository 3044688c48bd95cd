import type Stripe from 'stripe';
import { failureOf } from './stand-in-client';
import { DAY, StandInFixture, TENANT } from './stand-in-fixture';
import type { StripeStandIn } from './stripe-stand-in';
import type { WebhookReceiver } from './webhook-receiver';

describe('Checkout of the stand-in for Stripe', () => {
  let fixture: StandInFixture;
  let processor: StripeStandIn;
  let stripe: Stripe;
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    fixture = await StandInFixture.start();
    ({ processor, stripe, receiver } = fixture);
  });

  afterEach(async () => {
    await fixture.stop();
    expect(processor.violations).toEqual([]);
  });

  it('starts a trial when paid, and sends the events in the order of Stripe', async () => {
    await fixture.deliver();
    const session = await fixture.newSession();
    expect(session.url).toBe(`${processor.url}/pay/${session.id}`);
    await processor.customerActions.pay(session.url!);
    await processor.drain();
    expect(receiver.types).toEqual([
      'customer.subscription.created',
      'invoice.paid',
      'invoice.payment_succeeded',
      'checkout.session.completed',
    ]);
    const { object } = receiver.events[3].data as { object: Stripe.Checkout.Session };
    expect(object).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      amount_total: 0,
      metadata: TENANT,
      client_reference_id: 'tenant-1',
    });
    const subscription = await stripe.subscriptions.retrieve(object.subscription as string);
    expect(subscription).toMatchObject({
      status: 'trialing',
      metadata: TENANT,
      trial_end: subscription.trial_start! + 14 * DAY,
    });
    expect(subscription.items.data[0].current_period_end).toBe(subscription.trial_end);
    expect((await stripe.events.list({ type: 'invoice.paid' })).data[0]).toMatchObject({
      pending_webhooks: 0,
      api_version: '2026-10-28.endive',
    });
  });

  it('charges immediately without a trial', async () => {
    const subscription = await fixture.subscribed({ hasTrial: false });
    expect(subscription).toMatchObject({ status: 'active', trial_end: null });
    const [invoice] = (await stripe.invoices.list({ subscription: subscription.id })).data;
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: 2900,
      billing_reason: 'subscription_create',
      parent: { subscription_details: { metadata: TENANT } },
    });
  });

  it('creates nothing when the card is declined or the customer goes back', async () => {
    const session = await fixture.newSession();
    await processor.customerActions.payWithDeclinedCard(session.url!);
    await processor.customerActions.abandon(session.id);
    expect(processor.subscriptions()).toEqual([]);
    expect(processor.openSessions(session.customer as string)).toHaveLength(1);
  });

  it('creates one subscription when it is paid twice', async () => {
    const session = await fixture.newSession();
    const outcomes = await Promise.allSettled([
      processor.customerActions.pay(session.url!),
      processor.customerActions.pay(session.url!),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(processor.subscriptions()).toHaveLength(1);
  });

  it('expires after one day or on request', async () => {
    const [late, unwanted] = [await fixture.newSession(), await fixture.newSession()];
    expect(await stripe.checkout.sessions.expire(unwanted.id)).toMatchObject({ status: 'expired', url: null });
    expect((await failureOf(stripe.checkout.sessions.expire(unwanted.id)))!.message).toContain('status of expired');
    await processor.advance(DAY);
    expect(await stripe.checkout.sessions.retrieve(late.id)).toMatchObject({ status: 'expired' });
    expect(fixture.typesSince(0)).toEqual(['checkout.session.expired', 'checkout.session.expired']);
    await expect(processor.customerActions.pay(late.url!)).rejects.toThrow('expired');
  });

  it('creates the customer if the session has none', async () => {
    const { id } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer_email: 'new@example.com',
      line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
      success_url: 'http://localhost:5173',
    });
    await processor.customerActions.pay(id);
    expect(processor.customers()).toMatchObject([{ email: 'new@example.com' }]);
    expect((await stripe.checkout.sessions.list({ customer: processor.customers()[0].id })).data).toMatchObject([
      { id },
    ]);
  });
});
