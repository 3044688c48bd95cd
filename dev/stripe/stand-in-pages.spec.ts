import type Stripe from 'stripe';
import { StandInFixture } from './stand-in-fixture';
import type { StripeStandIn } from './stripe-stand-in';
import type { WebhookReceiver } from './webhook-receiver';

describe('Pages of the stand-in for Stripe', () => {
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

  const press = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(processor.url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers });

  it('let a customer pay or have a card declined', async () => {
    const { id } = await fixture.newSession();
    expect(await fixture.get(`/pay/${id}`)).toContain('14 days free, then 29.00 USD per month');
    expect(await (await press(`/pay/${id}`, { action: 'decline' })).text()).toContain('Your card was declined.');
    expect((await press(`/pay/${id}`, { action: 'back' })).headers.get('location')).toBe(
      'http://localhost:5173/billing',
    );
    const paid = await press(`/pay/${id}`, { action: 'pay' });
    expect([paid.status, paid.headers.get('location')]).toEqual([
      303,
      `http://localhost:5173/billing?success=true&session=${id}`,
    ]);
    expect(await (await press(`/pay/${id}`, { action: 'pay' })).text()).toContain('You have already paid.');
    expect(await fixture.get('/pay/cs_test_none')).toContain('Checkout not found');
  });

  it('let a customer change the subscription', async () => {
    const { id, customer } = await fixture.subscribed();
    const visit = await stripe.billingPortal.sessions.create({
      customer: customer as string,
      return_url: 'http://localhost:5173/billing',
    });
    const { pathname } = new URL(visit.url);
    expect(await fixture.get(pathname)).toContain('Back to http://localhost:5173/billing');
    await press(pathname, { action: 'plan', subscription: id, price: 'price_business_monthly' });
    await press(pathname, { action: 'cancel-at-period-end', subscription: id });
    expect(await fixture.get(pathname)).toMatch(/Business[^]*Will be canceled on/);
    await press(pathname, { action: 'resume', subscription: id });
    await press(pathname, { action: 'pause', subscription: id });
    expect(fixture.statusOf({ id })).toBe('paused');
    await press(pathname, { action: 'resume', subscription: id });
    await press(pathname, { action: 'card', card: 'declining' });
    await press(pathname, { action: 'cancel-now', subscription: id });
    expect(await fixture.get(pathname)).toContain('Status: canceled');
    expect(await (await press(pathname, { action: 'pause', subscription: id })).text()).toContain(
      'A canceled subscription',
    );
    const [{ subscriptionId: foreign }] = processor.seedSubscriptions(['other']);
    await press(pathname, { action: 'cancel-now', subscription: foreign });
    expect(fixture.statusOf({ id: foreign })).toBe('active');
  });

  it('show all objects, and move the clock', async () => {
    await fixture.deliver();
    const { customer } = await fixture.subscribed();
    await fixture.newSession({ customer: customer as string });
    await processor.drain();
    const page = await fixture.get('/');
    for (const text of [
      'owner@example.com',
      'Pro: trialing',
      '/pay/cs_test_',
      'LOCAL-0001: 0.00 USD, paid',
      'delivered, attempts: 1, last response: 200',
    ]) {
      expect(page).toContain(text);
    }
    await press('/', { action: 'card', customer: customer as string, card: 'declining' });
    await press('/', { action: 'advance', days: '14' });
    expect(await fixture.get('/')).toContain('Pro: past_due');
    await press('/', { action: 'advance', days: 'month' });
    expect(await fixture.get('/')).toContain('Pro: canceled');
    const event = processor.events()[0].id;
    await processor.drain();
    const count = receiver.events.length;
    await press('/', { action: 'redeliver', event });
    expect(receiver.events).toHaveLength(count + 1);
    await press('/', { action: 'chaos', drop: '0.5', delay: '7', maxDelayMs: '20', isOld: 'on' });
    expect(processor.chaos).toEqual({
      drop: 0.5,
      delay: 1,
      duplicate: 0,
      reorder: 0,
      wrongSignature: 0,
      maxDelayMs: 20,
      apiVersion: 'old',
    });
    expect(await (await fetch(`${processor.url}/_control/calls`)).json()).toMatchObject({ 'POST /v1/customers': 1 });
  });

  it('reject forms of other sites', async () => {
    const { id } = await fixture.newSession();
    expect((await press(`/pay/${id}`, { action: 'pay' }, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await press(`/pay/${id}`, { action: 'pay' }, { origin: 'null' })).status).toBe(403);
    expect((await press(`/pay/${id}`, { action: 'pay' }, { origin: processor.url })).status).toBe(303);
  });
});
