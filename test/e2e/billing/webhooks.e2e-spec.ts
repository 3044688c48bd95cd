import { createHmac } from 'node:crypto';
import { request as rawRequest } from 'node:http';
import Stripe from 'stripe';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import type { SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { event, invoiceEvent, subscriptionDeleted, subscriptionUpdated } from '../../support/stripe-events';

const SECRET = 'whsec_local_stand_in';
const TEN_MINUTES = 600;

describe('the webhook endpoint', () => {
  let t: TestApp;
  let billing: Billing;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true, env: { PROCESSOR_WEBHOOK_SECRET: `whsec_of_before, ${SECRET}` } });
    billing = new Billing(t);
    admin = await t.actors.admin();
  });
  afterAll(() => t.close());

  const now = () => Math.floor(t.clock.now().getTime() / 1000);
  const sign = (payload: string, { secret = SECRET, timestamp = now() } = {}) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const post = (payload: string | Buffer, header?: string, { path = 'stripe', name = 'Stripe-Signature' } = {}) => {
    const request = t.api.post(`/webhooks/${path}`).set('Content-Type', 'application/json');
    return (header === undefined ? request : request.set(name, header)).send(payload.toString());
  };
  const countStored = async () =>
    (await t.database.query<{ n: number }>('SELECT count(*)::int AS n FROM webhook_events'))[0].n;

  describe('accepts a signed event', () => {
    it.each([
      ['stripe', 'Stripe-Signature'],
      ['processor', 'Stripe-Signature'],
      ['stripe', 'Processor-Signature'],
      ['processor', 'Processor-Signature'],
    ])('at /webhooks/%s with the header %s', async (path, name) => {
      const payload = JSON.stringify(event('customer.created', { id: 'cus_1' }));
      expect((await post(payload, sign(payload), { path, name }).expect(200)).body).toEqual({
        success: true,
        data: null,
      });
      const again = JSON.stringify(event('customer.created', {}));
      await post(again, sign(again), { path: `${path}/`, name }).expect(200);
    });

    it('signed with the old or new secret while both are configured, and with one of several signatures', async () => {
      for (const secret of ['whsec_of_before', SECRET]) {
        const payload = JSON.stringify(event('customer.created', {}));
        await post(payload, sign(payload, { secret })).expect(200);
      }
      const payload = JSON.stringify(event('customer.created', {}));
      const [header] = sign(payload, { secret: 'whsec_of_nobody' }).split(' ');
      await post(payload, `${header},v1=${sign(payload).split('v1=')[1]}`).expect(200);
    });

    it('of up to 1 MB, with any media type and formatting', async () => {
      const big = JSON.stringify(event('customer.created', { text: 'ü'.repeat(200_000) }), null, 2);
      await t.api
        .post('/webhooks/stripe')
        .set('Content-Type', 'text/plain')
        .set('Stripe-Signature', sign(big))
        .send(big)
        .expect(200);
      const tooBig = JSON.stringify(event('customer.created', { text: 'x'.repeat(1_100_000) }));
      expect(codeOf(await post(tooBig, sign(tooBig)).expect(413))).toBe('PAYLOAD_TOO_LARGE');
    });
  });

  describe('checks the signature: it', () => {
    const payload = () => JSON.stringify(event('customer.created', {}));
    it.each<[string, (text: string) => { body?: string; header?: string }]>([
      ['no signature', () => ({})],
      ['an empty signature', () => ({ header: '' })],
      ['a malformed signature', () => ({ header: 'v1=abc' })],
      ['the signature of another secret', (text) => ({ header: sign(text, { secret: 'whsec_of_nobody' }) })],
      ['the signature of another body', (text) => ({ header: sign(`${text} `) })],
      ['a signature of another scheme', (text) => ({ header: sign(text).replace('v1=', 'v0=') })],
      ['a signature of ten minutes ago', (text) => ({ header: sign(text, { timestamp: now() - TEN_MINUTES }) })],
      [
        'a signature of ten minutes in the future',
        (text) => ({ header: sign(text, { timestamp: now() + TEN_MINUTES }) }),
      ],
      [
        'one without a time',
        (text) => ({ header: `t=NaN,v1=${createHmac('sha256', SECRET).update(`NaN.${text}`).digest('hex')}` }),
      ],
      ['a body that is not JSON', () => ({ body: '{"id":', header: sign('{"id":') })],
      ['an empty body', () => ({ body: '', header: sign('') })],
    ])('refuses %s with 400 INVALID_SIGNATURE and stores nothing', async (_what, make) => {
      const before = await countStored();
      const text = payload();
      const { body = text, header } = make(text);
      expect(codeOf(await post(body, header).expect(400))).toBe('INVALID_SIGNATURE');
      expect(await countStored()).toBe(before);
    });

    it.each([
      ['a body that is not an event', '[1]'],
      ['an event without an id', '{"type":"x","created":1}'],
      ['an event with a time that is no number', '{"id":"evt_1","type":"x","created":"2026-11-29T00:00:00Z"}'],
      ['a thin event', '{"object":"v2.core.event","id":"evt_1","type":"v1.x","created":"2026-11-29T00:00:00Z"}'],
    ])('accepts %s that is signed, and stores nothing', async (_what, body) => {
      const before = await countStored();
      await post(body, sign(body)).expect(200);
      expect(codeOf(await post(body, sign(body, { secret: 'whsec_of_nobody' })).expect(400))).toBe('INVALID_SIGNATURE');
      expect(await countStored()).toBe(before);
    });

    it('accepts a correct signature that is given twice', async () => {
      const [text, before] = [payload(), await countStored()];
      const status = await new Promise((resolve) => {
        const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': [sign(text), sign(text)] };
        rawRequest(`${t.address}/api/v1/webhooks/stripe`, { method: 'POST', headers }, (response) =>
          resolve(response.resume().statusCode),
        ).end(text);
      });
      expect(status).toBe(200); // joined by Node into one header with two right signatures, as during a rotation
      expect(await countStored()).toBe(before + 1);
    });
  });

  it('needs no token and has no rate limit', async () => {
    const limited = await TestApp.start({ processor: true, beside: t, env: { RATE_LIMIT_PER_MINUTE: '1' } });
    for (let i = 0; i < 3; i++) {
      const payload = JSON.stringify(event('customer.created', {}));
      await limited.api
        .post('/webhooks/stripe')
        .set('Stripe-Signature', sign(payload))
        .set('Authorization', 'Bearer nonsense')
        .send(payload)
        .expect(200);
    }
    await limited.close();
  });

  describe('stores', () => {
    it('an event once and applies it once, however often and concurrently it is delivered', async () => {
      const { owner, subscriber } = await billing.subscribed();
      const failed = invoiceEvent('payment_failed', subscriber, new Date(1_760_000_000_000));
      const statuses = await Promise.all(Array.from({ length: 8 }, () => billing.deliver(failed)));
      expect(statuses).toEqual(Array(8).fill(200));
      expect(await billing.stored(failed)).toMatchObject([
        { status: 'processed', tenantId: owner.tenantId, error: null, attempts: 1 },
      ]);
      expect(await billing.notifications(owner)).toEqual(['SubscriptionPastDue']);
      expect(await billing.mails(owner)).toHaveLength(1);
    });

    it('concurrent events of one tenant one after the other', async () => {
      const { owner, subscriber } = await billing.subscribed();
      const at = new Date(1_760_000_000_000);
      await Promise.all([
        ...Array.from({ length: 6 }, () => billing.take(subscriptionUpdated(subscriber, { status: 'past_due' }, at))),
        ...Array.from({ length: 6 }, () => billing.take(invoiceEvent('payment_failed', subscriber, at))),
      ]);
      expect((await billing.subscription(owner)).status).toBe('PastDue');
      expect(await billing.notifications(owner)).toEqual(['SubscriptionPastDue']);
    });

    it('events of another type or of the other Stripe mode as ignored', async () => {
      const { owner, subscriber } = await billing.subscribed();
      const live = { ...subscriptionDeleted(subscriber, new Date(1_760_000_000_000)), livemode: true };
      const ignored = [event('charge.refunded', { id: 'ch_1' }), event('customer.subscription.created', {}), live];
      await billing.take(...ignored);
      for (const one of ignored)
        expect(await billing.stored(one)).toMatchObject([{ status: 'ignored', tenantId: null }]);
      expect((await billing.subscription(owner)).status).toBe('Active');
    });

    it('text without the characters that the database cannot store', async () => {
      const { subscriber, owner } = await billing.subscribed();
      const updated = subscriptionUpdated(subscriber, {
        price: 'price_business_monthly',
        rest: { description: 'NUL \0, half \ud800 a letter, a whole 😀' },
      });
      const payload = JSON.stringify(updated).replace('😀', '\\ud83d\\ude00');
      expect(payload).toContain('\\u0000');
      await post(payload, sign(payload)).expect(200);
      expect((await billing.subscription(owner)).plan).toBe('Business');
      const [{ text }] = await t.database.query<{ text: string }>(
        `SELECT payload #>> '{data,object,description}' AS text FROM webhook_events WHERE event_id = $1`,
        [updated.id],
      );
      expect(text).toBe('NUL , half  a letter, a whole 😀');
    });

    it('an event that the database cannot store without its payload, for an operator', async () => {
      const payload = JSON.stringify(event('customer.created', { amount: 0 })).replace(
        '"amount":0',
        '"amount":1e999999',
      );
      await post(payload, sign(payload)).expect(200);
      const id = (JSON.parse(payload) as { id: string }).id;
      const stored = `SELECT status, payload::text, error FROM webhook_events WHERE event_id = $1`;
      expect(await t.database.query(stored, [id])).toEqual([
        { status: 'needs-attention', payload: '{}', error: expect.stringContaining('could not store its payload') },
      ]);
      const [{ id: rowId }] = await t.database.query<{ id: string }>(
        'SELECT id FROM webhook_events WHERE event_id = $1',
        [id],
      );
      const replayed = await t.api.post(`/admin/webhook-events/${rowId}/replay`).set(admin.bearer).expect(200);
      expect(replayed.body.data).toMatchObject({
        status: 'needs-attention',
        error: expect.stringContaining('could not store'),
      });
      const odd = JSON.stringify(event('customer.created', { metadata: { 'a\0': 'x', b: ['\0'] } }));
      await post(odd, sign(odd)).expect(200);
      const kept = `SELECT payload #> '{data,object,metadata}' AS metadata FROM webhook_events WHERE event_id = $1`;
      expect(await t.database.query(kept, [(JSON.parse(odd) as { id: string }).id])).toEqual([
        { metadata: { a: 'x', b: [''] } },
      ]);
    });

    it('an event that the database cannot store once, however often and concurrently it is delivered', async () => {
      const whole = JSON.stringify(event('customer.created', { amount: 0 }));
      const payload = whole.replace('"amount":0', '"amount":1e999999');
      await Promise.all(Array.from({ length: 8 }, () => post(payload, sign(payload)).expect(200)));
      const stored = 'SELECT status FROM webhook_events WHERE event_id = $1';
      const { id } = JSON.parse(whole) as { id: string };
      expect(await t.database.query(stored, [id])).toEqual([{ status: 'needs-attention' }]);
    });

    it('nothing while the database is down, and responds with 503 so that Stripe retries', async () => {
      const { subscriber } = await billing.subscribed();
      const updated = subscriptionUpdated(subscriber);
      const lost = jest
        .spyOn(t.nest.get(UnitOfWork), 'acrossTenants')
        .mockRejectedValue(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
      expect(await billing.deliver(updated)).toBe(503);
      lost.mockRestore();
      expect(await billing.stored(updated)).toEqual([]);
      expect(await billing.deliver(updated)).toBe(200);
    });
  });

  it('does not log secrets, signatures or payloads', async () => {
    const logged = await TestApp.start({ processor: true, beside: t, env: { LOG_LEVEL: 'trace' } });
    const payload = JSON.stringify(event('customer.created', { email: 'somebody@secret.example' }));
    const header = sign(payload);
    await logged.api.post('/webhooks/stripe').set('Stripe-Signature', header).send(payload).expect(200);
    await logged.api.post('/webhooks/stripe').set('Stripe-Signature', `${header}0`).send(payload).expect(400);
    const log = logged.logLines.join('');
    expect(log).toContain('/api/v1/webhooks/stripe');
    for (const secret of [SECRET, header.split('v1=')[1], 'somebody@secret.example']) expect(log).not.toContain(secret);
    await logged.close();
  });

  it('reports its lag in the metrics', async () => {
    t.clock.advance(0);
    const payload = JSON.stringify(event('customer.created', {}, new Date(t.clock.now().getTime() - 45_000)));
    const sum = async () =>
      Number(/webhook_lag_seconds_bucket\{le="60"\} (\d+)/.exec((await t.http.get('/metrics').expect(200)).text)![1]);
    const below = async () =>
      Number(/webhook_lag_seconds_bucket\{le="30"\} (\d+)/.exec((await t.http.get('/metrics').expect(200)).text)![1]);
    const [before, beforeBelow] = [await sum(), await below()];
    await post(payload, sign(payload)).expect(200);
    expect([await sum(), await below()]).toEqual([before + 1, beforeBelow]);
  });
});
