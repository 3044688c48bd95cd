import type Stripe from 'stripe';
import { StandInFixture } from './stand-in-fixture';
import { StripeStandIn } from './stripe-stand-in';
import type { WebhookReceiver } from './webhook-receiver';

describe('Webhook deliveries of the stand-in for Stripe', () => {
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

  it('are retried after a failure', async () => {
    receiver.answers.push(500, 503, 404);
    await fixture.deliver();
    await fixture.subscribed();
    await processor.drain();
    expect(new Set(receiver.types).size).toBe(4);
    expect((await stripe.events.list({ delivery_success: false })).data).toEqual([]);
  });

  it('wait until there is an endpoint, and stop after ten attempts', async () => {
    await fixture.subscribed();
    await processor.drain();
    receiver.answers.push(...Array.from({ length: 100 }, () => 500));
    await fixture.deliver();
    await processor.drain();
    expect(receiver.events).toEqual([]);
    expect(await fixture.get('/')).toContain('failed, attempts: 10, last response: 500');
    const { data } = await stripe.events.list({ delivery_success: false, types: ['checkout.session.completed'] });
    expect(data).toHaveLength(1);
    receiver.answers.length = 0;
    expect(await processor.redeliver(data[0].id)).toBe(200);
    expect((await stripe.events.list({ delivery_success: false })).data).toHaveLength(3);
  });

  it('are lost, repeated, delayed, reordered, forged or in an old format, as the chaos settings say', async () => {
    await fixture.deliver();
    processor.chaos.drop = 1;
    await fixture.subscribed();
    await processor.drain();
    expect(receiver.events).toEqual([]);
    Object.assign(processor.chaos, { drop: 0, duplicate: 1, delay: 0.5, wrongSignature: 1, maxDelayMs: 60_000 });
    await fixture.subscribed();
    await processor.drain();
    expect([receiver.events.length, receiver.refused]).toEqual([8, 4]);
    Object.assign(processor.chaos, { duplicate: 0, delay: 0, wrongSignature: 0, reorder: 0.5 });
    receiver.events.length = 0;
    for (let count = 0; count < 5; count++) await fixture.subscribed();
    await processor.drain();
    const created = processor.events().slice(-20);
    expect(receiver.events).toHaveLength(20);
    expect(receiver.events.map(({ id }) => id)).not.toEqual(created.map(({ id }) => id));
    Object.assign(processor.chaos, { reorder: 0, apiVersion: 'old' });
    receiver.events.length = 0;
    const { id } = await fixture.subscribed();
    await processor.customerActions.cancelAtPeriodEnd(id);
    await processor.drain();
    const find = (type: string) => receiver.events.find((event) => event.type === type)!;
    expect(find('customer.subscription.updated')).toMatchObject({
      api_version: '2020-08-27',
      data: {
        object: { cancel_at_period_end: true, current_period_end: expect.any(Number) },
        previous_attributes: { cancel_at_period_end: false },
      },
    });
    expect(find('invoice.paid').data.object).toMatchObject({
      subscription: id,
      paid: true,
      lines: { data: [{ price: { id: 'price_pro_monthly' } }] },
    });
    expect(find('invoice.paid').data.object).not.toHaveProperty('parent');
  });

  it('have the same ids and the same chaos with the same seed', () => {
    const one = new StripeStandIn({ seed: 3 });
    const other = new StripeStandIn({ seed: 3 });
    expect(one.seedSubscriptions(['a', 'b'])).toEqual(other.seedSubscriptions(['a', 'b']));
  });

  it('are signed as the service expects, or as a test asks for', async () => {
    await fixture.deliver();
    expect((await processor.post({ id: 'evt_1', object: 'event', type: 'x' })).status).toBe(200);
    expect((await processor.post('{}', { secret: 'whsec_wrong' })).status).toBe(400);
    expect((await processor.post('{}', { timestamp: Math.floor(Date.now() / 1000) - 400 })).status).toBe(400);
    expect((await processor.post('{}', { header: 'Processor-Signature' })).status).toBe(400);
  });
});
