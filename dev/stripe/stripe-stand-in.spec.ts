import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { clientOf, failureOf } from './stand-in-client';
import { StripeStandIn } from './stripe-stand-in';

const DAY = 24 * 60 * 60;
const TENANT = { tenantId: 'tenant-1' };

/** A webhook endpoint that verifies signatures with Stripe's own library. */
class Receiver {
  readonly events: Stripe.Event[] = [];
  refused = 0;
  /** Status codes for the next deliveries, instead of 200. */
  readonly answers: number[] = [];
  private server?: Server;

  constructor(private readonly secret: string) {}

  async start(): Promise<string> {
    const stripe = new Stripe('sk_test_any');
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const status = this.answers.shift() ?? 200;
        response.statusCode = status;
        try {
          const event = stripe.webhooks.constructEvent(
            Buffer.concat(chunks),
            request.headers['stripe-signature'] as string,
            this.secret,
          );
          if (status === 200) this.events.push(event);
        } catch {
          this.refused += 1;
          response.statusCode = 400;
        }
        response.end(JSON.stringify({ received: response.statusCode === 200 }));
      });
    });
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}/webhook`;
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('The stand-in for Stripe', () => {
  let processor: StripeStandIn;
  let stripe: Stripe;
  let receiver: Receiver;

  beforeEach(async () => {
    processor = new StripeStandIn({ validateResponses: true, seed: 7 });
    await processor.start();
    stripe = clientOf(processor);
    receiver = new Receiver(processor.settings.PROCESSOR_WEBHOOK_SECRET);
  });

  afterEach(async () => {
    await processor.stop();
    await receiver.stop();
    expect(processor.violations).toEqual([]);
  });

  const newCustomer = () => stripe.customers.create({ email: 'owner@example.com', metadata: TENANT });

  async function newSession(
    changes: Partial<Stripe.Checkout.SessionCreateParams> = {},
  ): Promise<Stripe.Checkout.Session> {
    const customer = changes.customer ?? (await newCustomer()).id;
    return stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      client_reference_id: TENANT.tenantId,
      line_items: [{ price: processor.settings.PROCESSOR_PRO_PRICE_ID, quantity: 1 }],
      subscription_data: { trial_period_days: 14, metadata: TENANT },
      metadata: TENANT,
      success_url: 'http://localhost:5173/billing?success=true&session={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://localhost:5173/billing',
      ...changes,
    });
  }

  /** @returns a subscription, with a trial or without */
  async function subscribed({ hasTrial = true } = {}): Promise<Stripe.Subscription> {
    const session = await newSession(hasTrial ? {} : { subscription_data: { metadata: TENANT } });
    await processor.customerActions.pay(session.url!);
    return processor.subscriptions().at(-1)!;
  }

  const typesSince = (count: number) =>
    processor
      .events()
      .slice(count)
      .map(({ type }) => type);
  const statusOf = ({ id }: { id: string }) => processor.subscription(id)!.status;
  const deliver = async () => processor.deliverTo(await receiver.start());
  const codeOf = (error: unknown) => [
    error instanceof Stripe.errors.StripeError && error.type,
    (error as { code?: string }).code,
  ];
  const get = async (path: string) => (await fetch(processor.url + path)).text();
  describe('API', () => {
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
      const customer = await newCustomer();
      await stripe.customers.del(customer.id);
      expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id, deleted: true });
      expect(await failureOf(newSession({ customer: customer.id }))).toMatchObject({
        code: 'resource_missing',
        param: 'customer',
      });
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
      await subscribed();
      const [session] = (await stripe.checkout.sessions.list({ expand: ['data.subscription', 'data.line_items'] }))
        .data;
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

  describe('Checkout', () => {
    it('starts a trial when paid, and sends the events in the order of Stripe', async () => {
      await deliver();
      const session = await newSession();
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
      const subscription = await subscribed({ hasTrial: false });
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
      const session = await newSession();
      await processor.customerActions.payWithDeclinedCard(session.url!);
      await processor.customerActions.abandon(session.id);
      expect(processor.subscriptions()).toEqual([]);
      expect(processor.openSessions(session.customer as string)).toHaveLength(1);
    });

    it('creates one subscription when it is paid twice', async () => {
      const session = await newSession();
      const outcomes = await Promise.allSettled([
        processor.customerActions.pay(session.url!),
        processor.customerActions.pay(session.url!),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      expect(processor.subscriptions()).toHaveLength(1);
    });

    it('expires after one day or on request', async () => {
      const [late, unwanted] = [await newSession(), await newSession()];
      expect(await stripe.checkout.sessions.expire(unwanted.id)).toMatchObject({ status: 'expired', url: null });
      expect((await failureOf(stripe.checkout.sessions.expire(unwanted.id)))!.message).toContain('status of expired');
      await processor.advance(DAY);
      expect(await stripe.checkout.sessions.retrieve(late.id)).toMatchObject({ status: 'expired' });
      expect(typesSince(0)).toEqual(['checkout.session.expired', 'checkout.session.expired']);
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

  describe('Lifecycle', () => {
    it('ends the trial and renews each month, each event with its own timestamp', async () => {
      const subscription = await subscribed();
      const count = processor.events().length;
      await processor.advance(60 * DAY);
      const paid = ['customer.subscription.updated', 'invoice.paid', 'invoice.payment_succeeded'];
      expect(typesSince(count)).toEqual(['customer.subscription.trial_will_end', ...paid, ...paid]);
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
      const subscription = await subscribed();
      await processor.customerActions.useCard(subscription.customer as string, 'declining');
      await processor.advance(14 * DAY);
      expect(statusOf(subscription)).toBe('past_due');
      const failed = processor.events().find(({ type }) => type === 'invoice.payment_failed')!;
      expect(failed.data.object).toMatchObject({
        attempt_count: 1,
        next_payment_attempt: subscription.trial_end! + 3 * DAY,
        status: 'open',
      });
      await processor.advance(3 * DAY);
      expect(statusOf(subscription)).toBe('past_due');
      const count = processor.events().length;
      await processor.customerActions.useCard(subscription.customer as string, 'good');
      expect(typesSince(count)).toEqual(['invoice.paid', 'invoice.payment_succeeded', 'customer.subscription.updated']);
      expect(statusOf(subscription)).toBe('active');
    });

    it('cancels the subscription after the last failed attempt', async () => {
      const subscription = await subscribed();
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
      const [flexible, classic] = [await subscribed(), await subscribed()];
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
      expect([statusOf(flexible), statusOf(classic)]).toEqual(['canceled', 'active']);
      expect(await failureOf(stripe.subscriptions.cancel(flexible.id))).toMatchObject({ code: 'resource_missing' });
    });

    it('pauses and resumes a subscription', async () => {
      const { id } = await subscribed({ hasTrial: false });
      const count = processor.events().length;
      await stripe.subscriptions.pause(id, { type: 'subscription' });
      await processor.advance(70 * DAY);
      expect(typesSince(count)).toEqual(['customer.subscription.paused', 'customer.subscription.updated']);
      await stripe.subscriptions.resume(id);
      expect(typesSince(count + 2)).toEqual([
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
      const { id, items } = await subscribed();
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

  describe('Webhook deliveries', () => {
    it('are retried after a failure', async () => {
      receiver.answers.push(500, 503, 404);
      await deliver();
      await subscribed();
      await processor.drain();
      expect(new Set(receiver.types).size).toBe(4);
      expect((await stripe.events.list({ delivery_success: false })).data).toEqual([]);
    });

    it('wait until there is an endpoint, and stop after ten attempts', async () => {
      await subscribed();
      await processor.drain();
      receiver.answers.push(...Array.from({ length: 100 }, () => 500));
      await deliver();
      await processor.drain();
      expect(receiver.events).toEqual([]);
      expect(await get('/')).toContain('failed, attempts: 10, last response: 500');
      const { data } = await stripe.events.list({ delivery_success: false, types: ['checkout.session.completed'] });
      expect(data).toHaveLength(1);
      receiver.answers.length = 0;
      expect(await processor.redeliver(data[0].id)).toBe(200);
      expect((await stripe.events.list({ delivery_success: false })).data).toHaveLength(3);
    });

    it('are lost, repeated, delayed, reordered, forged or in an old format, as the chaos settings say', async () => {
      await deliver();
      processor.chaos.drop = 1;
      await subscribed();
      await processor.drain();
      expect(receiver.events).toEqual([]);
      Object.assign(processor.chaos, { drop: 0, duplicate: 1, delay: 0.5, wrongSignature: 1, maxDelayMs: 60_000 });
      await subscribed();
      await processor.drain();
      expect([receiver.events.length, receiver.refused]).toEqual([8, 4]);
      Object.assign(processor.chaos, { duplicate: 0, delay: 0, wrongSignature: 0, reorder: 0.5 });
      receiver.events.length = 0;
      for (let count = 0; count < 5; count++) await subscribed();
      await processor.drain();
      const created = processor.events().slice(-20);
      expect(receiver.events).toHaveLength(20);
      expect(receiver.events.map(({ id }) => id)).not.toEqual(created.map(({ id }) => id));
      Object.assign(processor.chaos, { reorder: 0, apiVersion: 'old' });
      receiver.events.length = 0;
      const { id } = await subscribed();
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
      await deliver();
      expect((await processor.post({ id: 'evt_1', object: 'event', type: 'x' })).status).toBe(200);
      expect((await processor.post('{}', { secret: 'whsec_wrong' })).status).toBe(400);
      expect((await processor.post('{}', { timestamp: Math.floor(Date.now() / 1000) - 400 })).status).toBe(400);
      expect((await processor.post('{}', { header: 'Processor-Signature' })).status).toBe(400);
    });
  });

  it('keeps its state and its pending deliveries during an outage', async () => {
    const { id } = await subscribed();
    const { url } = processor;
    await processor.stop();
    expect(codeOf(await failureOf(stripe.customers.list()))[0]).toBe('StripeConnectionError');
    await deliver();
    await processor.drain();
    expect(receiver.events).toEqual([]);
    await processor.start();
    expect(processor.url).toBe(url);
    await processor.drain();
    expect(receiver.events).toHaveLength(4);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('trialing');
  });

  it('saves its state in a file, and renames a file that it cannot read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'processor-'));
    const file = join(folder, 'state', 'processor.json');
    const first = new StripeStandIn({ file });
    const [{ subscriptionId }] = first.seedSubscriptions(['tenant-1']);
    await first.start();
    await first.customerActions.changePlan(subscriptionId, 'price_business_monthly');
    await first.advance(DAY);
    await first.stop();
    const second = new StripeStandIn({ file });
    expect(second.subscriptions()).toEqual(first.subscriptions());
    expect(second.events()).toEqual(first.events());
    expect(second.now().getTime() - Date.now()).toBeGreaterThan(DAY * 1000 - 5000);
    expect(second.seedSubscriptions(['tenant-2'])[0].subscriptionId).not.toBe(subscriptionId);
    await second.advance(31 * DAY);
    expect(second.events().map(({ type }) => type)).toContain('invoice.paid');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 100));
    expect(new StripeStandIn({ file }).customers()).toEqual([]);
    expect(existsSync(`${file}.broken`)).toBe(true);
    rmSync(folder, { recursive: true });
  });

  describe('Pages', () => {
    const press = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(processor.url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers });

    it('let a customer pay or have a card declined', async () => {
      const { id } = await newSession();
      expect(await get(`/pay/${id}`)).toContain('14 days free, then 29.00 USD per month');
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
      expect(await get('/pay/cs_test_none')).toContain('Checkout not found');
    });

    it('let a customer change the subscription', async () => {
      const { id, customer } = await subscribed();
      const visit = await stripe.billingPortal.sessions.create({
        customer: customer as string,
        return_url: 'http://localhost:5173/billing',
      });
      const { pathname } = new URL(visit.url);
      expect(await get(pathname)).toContain('Back to http://localhost:5173/billing');
      await press(pathname, { action: 'plan', subscription: id, price: 'price_business_monthly' });
      await press(pathname, { action: 'cancel-at-period-end', subscription: id });
      expect(await get(pathname)).toMatch(/Business[^]*Will be canceled on/);
      await press(pathname, { action: 'resume', subscription: id });
      await press(pathname, { action: 'pause', subscription: id });
      expect(statusOf({ id })).toBe('paused');
      await press(pathname, { action: 'resume', subscription: id });
      await press(pathname, { action: 'card', card: 'declining' });
      await press(pathname, { action: 'cancel-now', subscription: id });
      expect(await get(pathname)).toContain('Status: canceled');
      expect(await (await press(pathname, { action: 'pause', subscription: id })).text()).toContain(
        'A canceled subscription',
      );
      const [{ subscriptionId: foreign }] = processor.seedSubscriptions(['other']);
      await press(pathname, { action: 'cancel-now', subscription: foreign });
      expect(statusOf({ id: foreign })).toBe('active');
    });

    it('show all objects, and move the clock', async () => {
      await deliver();
      const { customer } = await subscribed();
      await newSession({ customer: customer as string });
      await processor.drain();
      const page = await get('/');
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
      expect(await get('/')).toContain('Pro: past_due');
      await press('/', { action: 'advance', days: 'month' });
      expect(await get('/')).toContain('Pro: canceled');
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
      const { id } = await newSession();
      expect((await press(`/pay/${id}`, { action: 'pay' }, { origin: 'http://evil.example' })).status).toBe(403);
      expect((await press(`/pay/${id}`, { action: 'pay' }, { origin: 'null' })).status).toBe(403);
      expect((await press(`/pay/${id}`, { action: 'pay' }, { origin: processor.url })).status).toBe(303);
    });
  });
});
