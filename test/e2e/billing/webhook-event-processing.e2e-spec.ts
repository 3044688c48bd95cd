import { CommandBus } from '@nestjs/cqrs';
import type { AuditEntryView } from '../../../src/audit/http/views/audit.views';
import { PurgeWebhookEvents } from '../../../src/billing/webhooks/commands/purge-webhook-events';
import { ReplayWebhookEvent } from '../../../src/billing/webhooks/commands/replay-webhook-event';
import { WebhookEventRepository } from '../../../src/billing/webhooks/data/webhook-event.repository';
import { WebhookEventProcessor } from '../../../src/billing/webhooks/services/webhook-event-processor';
import { DomainEvent, DomainEvents } from '../../../src/platform/domain-events';
import { newId } from '../../../src/platform/ids';
import type { Member, SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import {
  checkoutCompleted,
  event,
  invoiceEvent,
  newSubscriber,
  subscriptionDeleted,
  subscriptionObject,
  subscriptionUpdated,
} from '../../support/stripe-events';

describe('the processing of webhook events', () => {
  let t: TestApp;
  let billing: Billing;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
    admin = await t.actors.admin();
  });
  afterAll(() => t.close());

  it('adds no remark to the usual order of events after a checkout', async () => {
    const owner = await t.actors.owner();
    const subscriber = newSubscriber(owner.tenantId);
    const paid = invoiceEvent('payment_succeeded', subscriber);
    await billing.take(paid, checkoutCompleted(subscriber));
    expect(await billing.stored(paid)).toMatchObject([{ status: 'processed', error: null }]);
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Trialing' });
  });

  describe('finds the tenant', () => {
    it('by the customer id alone, and by the metadata of the subscription alone', async () => {
      const owner = await t.actors.owner();
      const subscriber = newSubscriber(owner.tenantId);
      await billing.take(subscriptionUpdated(subscriber, { status: 'trialing', rest: { trial_end: 1_900_000_000 } }));
      expect(await billing.subscription(owner)).toMatchObject({
        plan: 'Pro',
        status: 'Trialing',
        processorCustomerId: subscriber.customerId,
      });
      await billing.take(subscriptionUpdated(subscriber, { status: 'past_due', rest: { metadata: {} } }));
      expect((await billing.subscription(owner)).status).toBe('PastDue');
    });

    const parkedBecause = async (sent: ReturnType<typeof event>, reason: string) => {
      await billing.take(sent);
      expect(await billing.stored(sent)).toMatchObject([
        { status: 'needs-attention', error: expect.stringContaining(reason) },
      ]);
    };

    it('only without doubt: no tenant, an unknown tenant and a contradiction wait for an operator', async () => {
      const { owner, subscriber } = await billing.subscribed();
      const stranger = newSubscriber(newId());
      const { owner: neighbor, subscriber: neighborly } = await billing.subscribed();
      await parkedBecause(subscriptionUpdated({ ...stranger, tenantId: 'not-ours' }), 'Neither');
      await parkedBecause(subscriptionUpdated(stranger), 'does not exist, or was deleted');
      await parkedBecause(subscriptionDeleted({ ...subscriber, tenantId: neighbor.tenantId }), 'more than one tenant');
      await parkedBecause(
        subscriptionDeleted({ ...subscriber, subscriptionId: neighborly.subscriptionId }),
        'more than one tenant',
      );
      await parkedBecause(
        checkoutCompleted({ ...stranger, tenantId: owner.tenantId }),
        `is customer ${subscriber.customerId}, not ${stranger.customerId}`,
      );
      expect(await billing.subscription(owner)).toMatchObject({
        status: 'Active',
        processorSubscriptionId: subscriber.subscriptionId,
      });
      expect(await billing.subscription(neighbor)).toMatchObject({ status: 'Active' });
    });

    it('never by the client_reference_id of a checkout alone, which a payer may have chosen', async () => {
      const victim = await t.actors.owner();
      const attacker = newSubscriber(victim.tenantId);
      const chosen = (reference: string, rest: object = {}) =>
        checkoutCompleted(attacker, { rest: { client_reference_id: reference, metadata: {}, ...rest } });
      const sent = chosen(victim.tenantId);
      await parkedBecause(sent, 'Only its client_reference_id names a tenant');
      const expanded = { subscription: subscriptionObject(attacker, { rest: { metadata: {} } }) };
      await parkedBecause(chosen(victim.tenantId, expanded), 'Only its client_reference_id names a tenant');
      await parkedBecause(subscriptionUpdated(attacker, { rest: { metadata: {} } }), 'Neither');
      const isForeign = async ({ id }: { readonly id: string }) =>
        (await t.database.query('SELECT is_foreign FROM webhook_events WHERE event_id = $1', [id]))[0];
      expect(await isForeign(sent)).toEqual({ is_foreign: false });
      const ofOtherProduct = chosen(newId());
      await billing.take(ofOtherProduct);
      expect(await isForeign(ofOtherProduct)).toEqual({ is_foreign: true });
      expect(await billing.subscription(victim)).toMatchObject({ plan: 'Free', processorCustomerId: null });
      await billing.checkout(victim);
    });

    it('by the customer that this service created, and not if the reference is another tenant', async () => {
      const { owner, subscriber } = await billing.subscribed();
      const { owner: neighbor } = await billing.subscribed();
      const end = subscriptionDeleted(subscriber, new Date(1_760_000_000_000));
      await billing.take(end);
      const again = { ...subscriber, subscriptionId: newSubscriber(owner.tenantId).subscriptionId };
      const of = (reference: string) =>
        checkoutCompleted(again, { trial: false, rest: { client_reference_id: reference, metadata: { plan: 'Pro' } } });
      await parkedBecause(of(neighbor.tenantId), 'more than one tenant');
      expect((await billing.subscription(owner)).status).toBe('Canceled');
      await billing.take(of(owner.tenantId));
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Active' });
    });

    it('not for events of connected accounts, which are ignored', async () => {
      const { owner, subscriber } = await billing.subscribed();
      const end = { ...subscriptionDeleted(subscriber, new Date(1_760_000_000_000)), account: 'acct_connected' };
      const checkout = { ...checkoutCompleted(newSubscriber(newId())), account: 'acct_connected' };
      for (const sent of [end, checkout]) {
        await billing.take(sent);
        expect(await billing.stored(sent)).toMatchObject([{ status: 'ignored', tenantId: null }]);
      }
      expect((await billing.subscription(owner)).status).toBe('Active');
    });
  });

  it('changes nothing by the end of a subscription whose customer was replaced after it', async () => {
    const { owner, subscriber } = await billing.subscribed();
    const at = (second: number) => new Date(1_760_000_000_000 + second * 1000);
    const replaced = { ...subscriber, customerId: newSubscriber(owner.tenantId).customerId };
    const replace = () =>
      t.database.query('UPDATE subscriptions SET processor_customer_id = $2 WHERE tenant_id = $1', [
        owner.tenantId,
        replaced.customerId,
      ]);
    await billing.take(subscriptionDeleted(subscriber, at(1)));
    await replace();
    const late = [subscriptionDeleted(subscriber, at(2)), invoiceEvent('payment_failed', subscriber, at(3))];
    await billing.take(...late);
    for (const one of late)
      expect(await billing.stored(one)).toMatchObject([{ status: 'processed', tenantId: owner.tenantId, error: null }]);
    expect(await billing.subscription(owner)).toMatchObject({
      status: 'Canceled',
      processorCustomerId: replaced.customerId,
      processorSubscriptionId: subscriber.subscriptionId,
    });
    const unknown = subscriptionDeleted({ ...subscriber, subscriptionId: 'sub_unknown' }, at(4));
    await billing.take(unknown);
    expect(await billing.stored(unknown)).toMatchObject([{ status: 'needs-attention' }]);
  });

  describe('stores an event that cannot be applied', () => {
    let isBroken = false;
    const repair = () => {
      isBroken = false;
    };
    afterEach(repair);
    /** Makes every published event fail until the end of the test. */
    const breakEvents = () => {
      const fail = () => Promise.reject(new Error('a bug, for once'));
      isBroken = true;
      t.nest.get(DomainEvents).on(DomainEvent, () => (isBroken ? fail() : Promise.resolve()));
    };

    it('as failed and retries it until it is applied', async () => {
      const { owner, subscriber } = await billing.subscribed();
      breakEvents();
      const deleted = subscriptionDeleted(subscriber, new Date(1_760_000_000_000));
      await billing.take(deleted, deleted);
      expect(await billing.stored(deleted)).toMatchObject([
        { status: 'failed', error: 'a bug, for once', attempts: 1 },
      ]);
      expect((await billing.subscription(owner)).status).toBe('Active');
      repair();
      await billing.untilJobsAreDone('replay-webhook-event');
      expect(await billing.stored(deleted)).toMatchObject([
        { status: 'processed', error: null, attempts: 2, tenantId: owner.tenantId },
      ]);
      expect((await billing.subscription(owner)).status).toBe('Canceled');
    });

    it('and reports the failure once it is stored, not while the database refuses that', async () => {
      const { subscriber } = await billing.subscribed();
      breakEvents();
      const deleted = subscriptionDeleted(subscriber, new Date(1_760_000_000_000));
      const lines = () =>
        t.logLines.filter((line) => line.includes('stripe.event_failed') && line.includes(deleted.id));
      const isFull = Object.assign(new Error('too many connections'), { code: '53300' });
      jest.spyOn(t.nest.get(WebhookEventRepository, { strict: false }), 'store').mockRejectedValueOnce(isFull);
      expect(await billing.deliver(deleted)).toBe(503);
      expect(lines()).toEqual([]);
      expect(await billing.deliver(deleted)).toBe(200);
      expect(lines()).toHaveLength(1);
    });

    it('as failed, unless another attempt has ended in the meantime', async () => {
      const { subscriber } = await billing.subscribed();
      breakEvents();
      const deleted = subscriptionDeleted(subscriber, new Date(1_760_000_000_000));
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
      repair();
      expect(await billing.stored(deleted)).toMatchObject([{ status: 'ignored', attempts: 7 }]);
    });

    it('and after eight attempts with growing pauses leaves it to an operator', async () => {
      const { owner, subscriber } = await billing.subscribed();
      breakEvents();
      const deleted = subscriptionDeleted(subscriber, new Date(1_760_000_000_000));
      await billing.take(deleted);
      const [event] = await billing.stored(deleted);
      const pauses: number[] = [];
      // The job of the attempt before may be there for a moment longer than its transaction.
      const pause = `SELECT extract(epoch FROM run_at - now())::int AS seconds FROM graphile_worker.jobs
        WHERE key = 'webhook-event:${event.id}' AND locked_at IS NULL`;
      for (let attempt = 1; attempt < 8; attempt++) {
        pauses.push((await t.database.query<{ seconds: number }>(pause))[0].seconds);
        const replay = `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'webhook-event:${event.id}';
          SELECT pg_notify('jobs:insert', '{"r":1,"count":1}')`;
        await t.database.query(replay);
        const attempts = async () => (await billing.stored(deleted))[0].attempts;
        while ((await attempts()) <= attempt) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      pauses.forEach((seconds, i) => expect(Math.abs(seconds - 60 * 2 ** i)).toBeLessThanOrEqual(5));
      const [parked] = await billing.stored(deleted);
      expect(parked).toMatchObject({ status: 'needs-attention', error: 'a bug, for once', attempts: 8 });
      expect(await t.database.query(pause)).toEqual([]);
      repair();
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
      const subscriber = newSubscriber(owner.tenantId);
      const lost = checkoutCompleted({ ...subscriber, tenantId: 'lost' });
      await billing.take(lost);
      const [{ id }] = await billing.stored(lost);
      expect((await replay(id).expect(200)).body.data).toMatchObject({ status: 'needs-attention', attempts: 2 });
      await t.database.query(
        `INSERT INTO subscriptions (tenant_id, processor_customer_id, plan, status, updated_at)
          VALUES ($1, $2, 'Free', 'Active', now())`,
        [owner.tenantId, subscriber.customerId],
      );
      expect((await replay(id).expect(200)).body.data).toMatchObject({ status: 'processed', tenantId: owner.tenantId });
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Trialing' });
      const { items } = (
        await t.api.get(`/admin/audit-log?action=webhook-event.replayed&target=${id}`).set(admin.bearer).expect(200)
      ).body.data;
      expect(items.map(({ actorId }: AuditEntryView) => actorId)).toEqual([admin.user.id, admin.user.id]);
    });

    it('an applied event without effect', async () => {
      const { owner, subscriber } = await billing.subscribed();
      const failed = invoiceEvent('payment_failed', subscriber, new Date(1_760_000_000_000));
      await billing.take(failed, invoiceEvent('payment_succeeded', subscriber, new Date(1_760_000_100_000)));
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
      const foreign = subscriptionUpdated({ ...newSubscriber(newId()), tenantId: 'another product' });
      await billing.take(foreign);
      const [{ id }] = await billing.stored(foreign);
      t.clock.advance(2 * DAY);
      const replayed = `UPDATE webhook_events SET status = 'failed', is_foreign = false WHERE id = $1`;
      await t.database.inTheMidstOf(replayed, [id], purge);
      expect(await statuses(foreign)).toEqual(['failed']);
    });

    it('ignores events that name no tenant after a day; those that name one wait for an operator', async () => {
      const { subscriber } = await billing.subscribed();
      const foreign = subscriptionUpdated({ ...newSubscriber(newId()), tenantId: 'another product' });
      const deleted = subscriptionUpdated(newSubscriber(newId()));
      const contradictory = subscriptionDeleted({ ...subscriber, customerId: newSubscriber('').customerId });
      await billing.take(foreign, deleted, contradictory);
      await purge();
      expect(await statuses(foreign, deleted, contradictory)).toEqual(Array(3).fill('needs-attention'));
      t.clock.advance(DAY + 60);
      await purge();
      expect(await statuses(foreign, deleted, contradictory)).toEqual(['ignored', 'ignored', 'needs-attention']);
    });

    it('deletes events that were processed 90 days ago; younger and waiting ones stay', async () => {
      const { subscriber } = await billing.subscribed();
      const [processed, ignored] = [subscriptionUpdated(subscriber), event('customer.created', {})];
      const waiting = subscriptionDeleted({ ...subscriber, customerId: newSubscriber('').customerId });
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
    const { owner, subscriber } = await billing.subscribed();
    const runAt = async () => {
      const [job] = await t.database.query<{ run_at: Date }>('SELECT run_at FROM graphile_worker.jobs WHERE key = $1', [
        `sync-subscription:${owner.tenantId}`,
      ]);
      return job.run_at.getTime();
    };
    await billing.take(subscriptionUpdated(subscriber, { status: 'past_due' }));
    const first = await runAt();
    for (const status of ['active', 'past_due', 'active'])
      await billing.take(subscriptionUpdated(subscriber, { status }));
    expect(await runAt()).toBe(first);
  });
});
