import type Stripe from 'stripe';
import { clientOf, failureOf } from './stand-in-client';
import { codeOf, DAY, StandInFixture, TENANT } from './stand-in-fixture';
import type { StripeStandIn } from './stripe-stand-in';

describe('The API of the stand-in for Stripe', () => {
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

  it('rejects unknown parameters and wrong types', async () => {
    const refusal = async (path: string, body: string) => {
      const headers = { authorization: `Bearer ${processor.settings.PROCESSOR_SECRET_KEY}` };
      const response = await fetch(processor.url + path, { method: 'POST', body, headers });
      return ((await response.json()) as { error: { type: string; code?: string; param?: string; message: string } })
        .error;
    };
    const unknown = await refusal('/v1/customers', 'email=a@example.com&tax_code[x]=1');
    expect(unknown).toMatchObject({ type: 'invalid_request_error', code: 'parameter_unknown', param: 'tax_code' });
    expect((await refusal('/v1/checkout/sessions', 'subscription_data[trial_days]=1')).param).toBe(
      'subscription_data[trial_days]',
    );
    expect((await refusal('/v1/checkout/sessions', 'subscription_data[trial_period_days]=soon')).code).toBe(
      'parameter_invalid_integer',
    );
    expect((await refusal('/v1/checkout/sessions', 'mode=rent')).message).toContain('must be one of');
    expect((await refusal('/v1/prices', 'unit_amount=5')).code).toBe('parameter_missing');
  });

  it('rejects a wrong API key and an unknown path', async () => {
    const stranger = clientOf({
      url: processor.url,
      settings: { ...processor.settings, PROCESSOR_SECRET_KEY: 'sk_test_wrong' },
    });
    expect(codeOf(await failureOf(stranger.customers.list()))[0]).toBe('StripeAuthenticationError');
    expect((await failureOf(stripe.rawRequest('GET', '/v1/nothing')))!.statusCode).toBe(404);
  });

  it('names the missing parameter or object', async () => {
    const failure = await failureOf(stripe.subscriptions.retrieve('sub_none'));
    expect(codeOf(failure)).toEqual(['StripeInvalidRequestError', 'resource_missing']);
    expect(failure!.statusCode).toBe(404);
    const customer = await fixture.newCustomer();
    await stripe.customers.del(customer.id);
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id, deleted: true });
    expect(await failureOf(fixture.newSession({ customer: customer.id }))).toMatchObject({
      code: 'resource_missing',
      param: 'customer',
    });
    for (const resource of [stripe.subscriptions, stripe.invoices, stripe.checkout.sessions]) {
      expect(await resource.list({ customer: customer.id })).toMatchObject({ data: [] });
      const unknown = { statusCode: 400, code: 'resource_missing', param: 'customer' };
      expect(await failureOf(resource.list({ customer: 'cus_none' }))).toMatchObject(unknown);
    }
  });

  it('replays the response for a repeated idempotency key, and rejects the key with other parameters', async () => {
    const [first, again] = [
      await stripe.customers.create({ metadata: TENANT }, { idempotencyKey: 'once' }),
      await stripe.customers.create({ metadata: TENANT }, { idempotencyKey: 'once' }),
    ];
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(codeOf(await failureOf(stripe.customers.create({ name: 'Other' }, { idempotencyKey: 'once' })))[0]).toBe(
      'StripeIdempotencyError',
    );
    await processor.advance(DAY + 1);
    expect((await stripe.customers.create({ metadata: TENANT }, { idempotencyKey: 'once' })).id).not.toBe(first.id);
  });

  it('rejects an idempotency key whose first request is still in progress', async () => {
    processor.injectFault('hang', 1);
    const first = failureOf(stripe.customers.create({}, { idempotencyKey: 'busy', timeout: 300 }));
    while (processor.requests.length === 0) await new Promise(setImmediate);
    expect(await failureOf(stripe.customers.create({}, { idempotencyKey: 'busy' }))).toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
    });
    expect(codeOf(await first)[0]).toBe('StripeConnectionError');
  });

  it('paginates lists, newest first', async () => {
    const seeded = processor.seedSubscriptions(
      Array.from({ length: 1000 }, (_, index) => `tenant-${index}`),
      (index) => (index % 10 === 0 ? { status: 'canceled', price: 'price_business_monthly' } : {}),
    );
    const all = await stripe.subscriptions.list({ status: 'all', limit: 100 }).autoPagingToArray({ limit: 2000 });
    expect(all.map(({ id }) => id)).toEqual(seeded.map(({ subscriptionId }) => subscriptionId).reverse());
    expect(await stripe.subscriptions.list({ limit: 100 }).autoPagingToArray({ limit: 2000 })).toHaveLength(900);
    expect(
      await stripe.subscriptions.list({ status: 'all', price: 'price_business_monthly', limit: 100 }),
    ).toMatchObject({ has_more: false });
    const before = await stripe.subscriptions.list({ status: 'all', limit: 3, ending_before: all[5].id });
    expect(before.data.map(({ id }) => id)).toEqual(all.slice(2, 5).map(({ id }) => id));
    expect(await stripe.subscriptions.list({ customer: seeded[5].customerId })).toMatchObject({
      data: [{ id: seeded[5].subscriptionId, metadata: { tenantId: 'tenant-5' } }],
    });
    expect(codeOf(await failureOf(stripe.subscriptions.list({ starting_after: 'sub_none' })))[1]).toBe(
      'resource_missing',
    );
  });

  it('expands ids to objects on request', async () => {
    await fixture.subscribed();
    const [session] = (await stripe.checkout.sessions.list({ expand: ['data.subscription', 'data.line_items'] })).data;
    expect(session).toMatchObject({
      subscription: { object: 'subscription', status: 'trialing' },
      line_items: { data: [{ price: { id: 'price_pro_monthly' } }] },
    });
    const { data } = await stripe.subscriptions.list({ expand: ['data.customer', 'data.latest_invoice'] });
    expect(data[0]).toMatchObject({ customer: { email: 'owner@example.com' }, latest_invoice: { amount_due: 0 } });
  });

  it('returns prices and products', async () => {
    const product = await stripe.products.create({ name: 'Team' });
    const price = await stripe.prices.create({
      product: product.id,
      unit_amount: 500,
      currency: 'eur',
      recurring: { interval: 'year' },
    });
    expect((await stripe.prices.retrieve(price.id)).recurring).toMatchObject({ interval: 'year' });
    expect((await stripe.prices.list({ active: true })).data.map(({ id }) => id)).toEqual([
      price.id,
      'price_business_yearly',
      'price_business_monthly',
      'price_pro_yearly',
      'price_pro_monthly',
    ]);
  });

  it('delays a response on request; its time is that of the response, not of its work', async () => {
    const customer = await fixture.newCustomer();
    const delayed = processor.delayResponse('GET /v1/customers/{id}');
    const retrieved = stripe.customers.retrieve(customer.id);
    await delayed.ready;
    await stripe.customers.update(customer.id, { email: 'later@example.com' });
    await processor.advance(DAY);
    delayed.release();
    const { lastResponse, ...object } = await retrieved;
    expect(object).toMatchObject({ email: 'owner@example.com' });
    expect(Date.parse(lastResponse.headers.date) / 1000 - customer.created).toBeGreaterThanOrEqual(DAY);
  });

  it('injects faults and records the requests', async () => {
    processor.injectFault('rate-limit', 1);
    processor.injectFault('error', 1, 'POST /v1/customers');
    expect(codeOf(await failureOf(stripe.customers.list()))[0]).toBe('StripeRateLimitError');
    expect(await stripe.customers.list()).toMatchObject({ data: [] });
    expect(codeOf(await failureOf(stripe.customers.create({}, { idempotencyKey: 'a' })))[0]).toBe('StripeAPIError');
    processor.injectFault('disconnect', 2);
    expect(codeOf(await failureOf(stripe.customers.create({}, { idempotencyKey: 'a' })))[0]).toBe(
      'StripeConnectionError',
    );
    expect(processor.customers()).toHaveLength(0);
    processor.injectFault('disconnect-after', 1);
    await stripe.customers.create({}, { idempotencyKey: 'a' }); // the library retries with the same key
    expect(processor.customers()).toHaveLength(1);
    expect(processor.calls.get('GET /v1/customers')).toBe(2);
    expect(processor.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/customers',
      idempotencyKey: 'a',
      apiVersion: '2026-10-28.endive',
      telemetry: false,
    });
  });
});
