import { createHmac } from 'node:crypto';
import { request as rawRequest } from 'node:http';
import { CommandBus } from '@nestjs/cqrs';
import Stripe from 'stripe';
import type { AuditEntryView } from '../../../src/audit/http/views/audit.views';
import { PurgeWebhookEvents } from '../../../src/billing/webhooks/commands/purge-webhook-events';
import { ReplayWebhookEvent } from '../../../src/billing/webhooks/commands/replay-webhook-event';
import { WebhookEventProcessor } from '../../../src/billing/webhooks/services/webhook-event-processor';
import { DomainEvent, DomainEvents } from '../../../src/platform/domain-events';
import { Database } from '../../../src/platform/database/database';
import { newId } from '../../../src/platform/ids';
import type { Member, SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import {
  checkoutCompleted,
  event,
  invoiceEvent,
  subscriber,
  subscriptionDeleted,
  subscriptionUpdated,
} from '../../support/stripe-events';

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
      ['a body that is not an event', () => ({ body: '[1]', header: sign('[1]') })],
      [
        'an event without an id',
        () => ({ body: '{"type":"x","created":1}', header: sign('{"type":"x","created":1}') }),
      ],
      [
        'a thin event',
        () => ({
          body: '{"object":"v2.core.event","id":"evt_1"}',
          header: sign('{"object":"v2.core.event","id":"evt_1"}'),
        }),
      ],
      ['an empty body', () => ({ body: '', header: sign('') })],
    ])('refuses %s with 400 INVALID_SIGNATURE and stores nothing', async (_what, make) => {
      const before = await countStored();
      const text = payload();
      const { body = text, header } = make(text);
      expect(codeOf(await post(body, header).expect(400))).toBe('INVALID_SIGNATURE');
      expect(await countStored()).toBe(before);
    });

    it('accepts a correct signature that is given twice', async () => {
      const [text, before] = [payload(), await countStored()];
      const status = await new Promise((resolve) => {
        const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': [sign(text), sign(text)] };
        rawRequest(`${t.address}/api/v1/webhooks/stripe`, { method: 'POST', headers }, (answer) =>
          resolve(answer.resume().statusCode),
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
      const { owner, who } = await billing.subscribed();
      const failed = invoiceEvent('payment_failed', who, new Date(1_760_000_000_000));
      const statuses = await Promise.all(Array.from({ length: 8 }, () => billing.deliver(failed)));
      expect(statuses).toEqual(Array(8).fill(200));
      expect(await billing.stored(failed)).toMatchObject([
        { status: 'processed', tenantId: owner.tenantId, error: null, attempts: 1 },
      ]);
      expect(await billing.notifications(owner)).toEqual(['SubscriptionPastDue']);
      expect(await billing.mails(owner)).toHaveLength(1);
    });

    it('concurrent events of one tenant one after the other', async () => {
      const { owner, who } = await billing.subscribed();
      const at = new Date(1_760_000_000_000);
      await Promise.all([
        ...Array.from({ length: 6 }, () => billing.take(subscriptionUpdated(who, { status: 'past_due' }, at))),
        ...Array.from({ length: 6 }, () => billing.take(invoiceEvent('payment_failed', who, at))),
      ]);
      expect((await billing.subscription(owner)).status).toBe('PastDue');
      expect(await billing.notifications(owner)).toEqual(['SubscriptionPastDue']);
    });

    it('events of another type or of the other Stripe mode as ignored', async () => {
      const { owner, who } = await billing.subscribed();
      const live = { ...subscriptionDeleted(who, new Date(1_760_000_000_000)), livemode: true };
      const ignored = [event('charge.refunded', { id: 'ch_1' }), event('customer.subscription.created', {}), live];
      await billing.take(...ignored);
      for (const one of ignored)
        expect(await billing.stored(one)).toMatchObject([{ status: 'ignored', tenantId: null }]);
      expect((await billing.subscription(owner)).status).toBe('Active');
    });

    it('text without the characters that the database cannot store', async () => {
      const { who, owner } = await billing.subscribed();
      const updated = subscriptionUpdated(who, {
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

    it('nothing while the database is down, and responds with 503 so that Stripe retries', async () => {
      const { who } = await billing.subscribed();
      const updated = subscriptionUpdated(who);
      const lost = jest
        .spyOn(t.nest.get(Database), 'queryInTenant')
        .mockRejectedValue(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
      expect(await billing.deliver(updated)).toBe(503);
      lost.mockRestore();
      expect(await billing.stored(updated)).toEqual([]);
      expect(await billing.deliver(updated)).toBe(200);
    });
  });

  it('adds no remark to the usual order of events after a checkout', async () => {
    const owner = await t.actors.owner();
    const who = subscriber(owner.tenantId);
    const paid = invoiceEvent('payment_succeeded', who);
    await billing.take(paid, checkoutCompleted(who));
    expect(await billing.stored(paid)).toMatchObject([{ status: 'processed', error: null }]);
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Trialing' });
  });

  describe('finds the tenant', () => {
    it('by the customer id alone, and by the metadata of the subscription alone', async () => {
      const owner = await t.actors.owner();
      const who = subscriber(owner.tenantId);
      await billing.take(subscriptionUpdated(who, { status: 'trialing', rest: { trial_end: 1_900_000_000 } }));
      expect(await billing.subscription(owner)).toMatchObject({
        plan: 'Pro',
        status: 'Trialing',
        processorCustomerId: who.customerId,
      });
      await billing.take(subscriptionUpdated(who, { status: 'past_due', rest: { metadata: {} } }));
      expect((await billing.subscription(owner)).status).toBe('PastDue');
    });

    const parkedBecause = async (sent: ReturnType<typeof event>, reason: string) => {
      await billing.take(sent);
      expect(await billing.stored(sent)).toMatchObject([
        { status: 'needs-attention', error: expect.stringContaining(reason) },
      ]);
    };

    it('only without doubt: no tenant, an unknown tenant and a contradiction wait for an operator', async () => {
      const { owner, who } = await billing.subscribed();
      const stranger = subscriber(newId());
      const { owner: neighbour, who: neighbourly } = await billing.subscribed();
      await parkedBecause(subscriptionUpdated({ ...stranger, tenantId: 'not-ours' }), 'Neither');
      await parkedBecause(subscriptionUpdated(stranger), 'no tenant');
      await parkedBecause(subscriptionDeleted({ ...who, tenantId: neighbour.tenantId }), 'more than one tenant');
      await parkedBecause(
        subscriptionDeleted({ ...who, subscriptionId: neighbourly.subscriptionId }),
        'more than one tenant',
      );
      await parkedBecause(
        checkoutCompleted({ ...stranger, tenantId: owner.tenantId }),
        `is customer ${who.customerId}, not ${stranger.customerId}`,
      );
      expect(await billing.subscription(owner)).toMatchObject({
        status: 'Active',
        processorSubscriptionId: who.subscriptionId,
      });
      expect(await billing.subscription(neighbour)).toMatchObject({ status: 'Active' });
    });
  });

  describe('stores an event that cannot be applied', () => {
    /** Makes every published event fail until it is restored. */
    const breakDown = () => {
      const fail = jest.fn(() => Promise.reject(new Error('a bug, for once')));
      let broken = true;
      t.nest.get(DomainEvents).on(DomainEvent, () => (broken ? fail() : Promise.resolve()));
      return () => {
        broken = false;
      };
    };

    it('as failed and retries it until it is applied', async () => {
      const { owner, who } = await billing.subscribed();
      const mend = breakDown();
      const deleted = subscriptionDeleted(who, new Date(1_760_000_000_000));
      await billing.take(deleted, deleted);
      expect(await billing.stored(deleted)).toMatchObject([
        { status: 'failed', error: 'a bug, for once', attempts: 1 },
      ]);
      expect((await billing.subscription(owner)).status).toBe('Active');
      mend();
      await billing.untilJobsAreDone('replay-webhook-event');
      expect(await billing.stored(deleted)).toMatchObject([
        { status: 'processed', error: null, attempts: 2, tenantId: owner.tenantId },
      ]);
      expect((await billing.subscription(owner)).status).toBe('Canceled');
    });

    it('as failed, unless another attempt has ended in the meantime', async () => {
      const { who } = await billing.subscribed();
      const mend = breakDown();
      const deleted = subscriptionDeleted(who, new Date(1_760_000_000_000));
      await billing.take(deleted);
      const [{ id }] = await billing.stored(deleted);
      const processor = t.nest.get(WebhookEventProcessor, { strict: false });
      const process = processor.process.bind(processor);
      jest.spyOn(processor, 'process').mockImplementationOnce((claim) =>
        process(claim).catch(async (error: unknown) => {
          await t.database.query(`UPDATE webhook_events SET attempts = 7, status = 'ignored' WHERE id = $1`, [id]);
          throw error;
        }),
      );
      await t.nest.get(CommandBus).execute(new ReplayWebhookEvent(id, null));
      mend();
      expect(await billing.stored(deleted)).toMatchObject([{ status: 'ignored', attempts: 7 }]);
    });

    it('and after eight attempts with growing pauses leaves it to an operator', async () => {
      const { owner, who } = await billing.subscribed();
      const mend = breakDown();
      const deleted = subscriptionDeleted(who, new Date(1_760_000_000_000));
      await billing.take(deleted);
      const pauses: number[] = [];
      const pause = `SELECT extract(epoch FROM run_at - now())::int AS seconds FROM graphile_worker.jobs
        WHERE task_identifier = 'replay-webhook-event'`;
      for (let attempt = 1; attempt < 8; attempt++) {
        pauses.push((await t.database.query<{ seconds: number }>(pause))[0].seconds);
        const replay = `UPDATE graphile_worker._private_jobs SET run_at = now();
          SELECT pg_notify('jobs:insert', '{"r":1,"count":1}')`;
        await t.database.query(replay);
        const attempts = async () => (await billing.stored(deleted))[0].attempts;
        while ((await attempts()) <= attempt) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      pauses.forEach((seconds, i) => expect(Math.abs(seconds - 60 * 2 ** i)).toBeLessThanOrEqual(5));
      const [parked] = await billing.stored(deleted);
      expect(parked).toMatchObject({ status: 'needs-attention', error: 'a bug, for once', attempts: 8 });
      expect(await t.database.query(pause)).toEqual([]);
      mend();
      const replayed = await t.api.post(`/admin/webhook-events/${parked.id}/replay`).set(admin.bearer).expect(200);
      expect(replayed.body.data).toMatchObject({
        id: parked.id,
        status: 'processed',
        error: null,
        tenantId: owner.tenantId,
        attempts: 9,
      });
      expect((await billing.subscription(owner)).status).toBe('Canceled');
    });
  });

  describe('lets an operator replay', () => {
    const replay = (id: string, by: SignedInUser | Member = admin) =>
      t.api.post(`/admin/webhook-events/${id}/replay`).set(by.bearer);

    it('a parked event after its cause was fixed, and records it in the audit log', async () => {
      const owner = await t.actors.owner();
      const who = subscriber(owner.tenantId);
      const lost = checkoutCompleted({ ...who, tenantId: 'lost' });
      await billing.take(lost);
      const [{ id }] = await billing.stored(lost);
      expect((await replay(id).expect(200)).body.data).toMatchObject({ status: 'needs-attention', attempts: 2 });
      await t.database.query(
        `INSERT INTO subscriptions (tenant_id, processor_customer_id, plan, status, updated_at)
          VALUES ($1, $2, 'Free', 'Active', now())`,
        [owner.tenantId, who.customerId],
      );
      expect((await replay(id).expect(200)).body.data).toMatchObject({ status: 'processed', tenantId: owner.tenantId });
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Trialing' });
      const { items } = (
        await t.api.get(`/admin/audit-log?action=webhook-event.replayed&target=${id}`).set(admin.bearer).expect(200)
      ).body.data;
      expect(items.map(({ actorId }: AuditEntryView) => actorId)).toEqual([admin.user.id, admin.user.id]);
    });

    it('an applied event without effect', async () => {
      const { owner, who } = await billing.subscribed();
      const failed = invoiceEvent('payment_failed', who, new Date(1_760_000_000_000));
      await billing.take(failed, invoiceEvent('payment_succeeded', who, new Date(1_760_000_100_000)));
      const [{ id }] = await billing.stored(failed);
      await replay(id).expect(200);
      expect((await billing.subscription(owner)).status).toBe('Active');
      expect(await billing.notifications(owner)).toEqual(['SubscriptionPastDue', 'PaymentRecovered']);
    });

    it('existing events only, and only as long as they are an admin', async () => {
      expect(codeOf(await replay(newId()).expect(404))).toBe('NOT_FOUND');
      const revoked = await t.actors.admin();
      await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [revoked.user.id]);
      const ignored = event('customer.created', {});
      await billing.take(ignored);
      const [{ id }] = await billing.stored(ignored);
      expect(codeOf(await replay(id, revoked).expect(403))).toBe('FORBIDDEN');
      expect(await billing.stored(ignored)).toMatchObject([{ attempts: 1 }]);
    });
  });

  describe('removes old events: it', () => {
    const DAY = 86_400;
    const purge = () => t.nest.get(CommandBus).execute(new PurgeWebhookEvents()) as Promise<unknown>;
    const statuses = async (...events: { id: string }[]) =>
      Promise.all(events.map(async (one) => (await billing.stored(one as never))[0]?.status));

    it('leaves an event alone that an operator replays at the same time', async () => {
      const foreign = subscriptionUpdated({ ...subscriber(newId()), tenantId: 'another product' });
      await billing.take(foreign);
      const [{ id }] = await billing.stored(foreign);
      t.clock.advance(2 * DAY);
      const replayed = `UPDATE webhook_events SET status = 'failed', is_foreign = false WHERE id = $1`;
      await t.database.inTheMidstOf(replayed, [id], purge);
      expect(await statuses(foreign)).toEqual(['failed']);
    });

    it('ignores events that name no tenant after a day; those that name one wait for an operator', async () => {
      const { who } = await billing.subscribed();
      const foreign = subscriptionUpdated({ ...subscriber(newId()), tenantId: 'another product' });
      const deleted = subscriptionUpdated(subscriber(newId()));
      const contradictory = subscriptionDeleted({ ...who, customerId: subscriber('').customerId });
      await billing.take(foreign, deleted, contradictory);
      await purge();
      expect(await statuses(foreign, deleted, contradictory)).toEqual(Array(3).fill('needs-attention'));
      t.clock.advance(DAY + 60);
      await purge();
      expect(await statuses(foreign, deleted, contradictory)).toEqual(['ignored', 'ignored', 'needs-attention']);
    });

    it('deletes events that were processed 90 days ago; younger and waiting ones stay', async () => {
      const { who } = await billing.subscribed();
      const [processed, ignored] = [subscriptionUpdated(who), event('customer.created', {})];
      const waiting = subscriptionDeleted({ ...who, customerId: subscriber('').customerId });
      await billing.take(processed, ignored, waiting);
      t.clock.advance(89 * DAY);
      const young = event('customer.created', {}, t.clock.now());
      await billing.take(young);
      await purge();
      expect(await statuses(processed, ignored, waiting, young)).toEqual([
        'processed',
        'ignored',
        'needs-attention',
        'ignored',
      ]);
      t.clock.advance(DAY + 60);
      await purge();
      expect(await statuses(processed, ignored, waiting, young)).toEqual([
        undefined,
        undefined,
        'needs-attention',
        'ignored',
      ]);
      t.clock.advance(-91 * DAY - 120);
    });
  });

  it('reads the subscription from Stripe five seconds after the first of many events in quick succession', async () => {
    const { owner, who } = await billing.subscribed();
    const runAt = async () => {
      const [job] = await t.database.query<{ run_at: Date }>('SELECT run_at FROM graphile_worker.jobs WHERE key = $1', [
        `sync-subscription:${owner.tenantId}`,
      ]);
      return job.run_at.getTime();
    };
    await billing.take(subscriptionUpdated(who, { status: 'past_due' }));
    const first = await runAt();
    for (const status of ['active', 'past_due', 'active']) await billing.take(subscriptionUpdated(who, { status }));
    expect(await runAt()).toBe(first);
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
