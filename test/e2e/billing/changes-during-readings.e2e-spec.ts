import { setTimeout as pause } from 'node:timers/promises';
import { clientOf } from '../../../dev/stripe/stand-in-client';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { PLANNED } from '../../support/subscription-history';
import { SyncRuns } from '../../support/sync-runs';

const LIST = 'GET /v1/subscriptions';

describe('a subscription that changes while Stripe is read', () => {
  let t: TestApp;
  let billing: Billing;
  let runs: SyncRuns;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
    runs = new SyncRuns(t, billing);
  });
  afterAll(() => t.close());

  /** Cancels at Stripe, of which the event is delivered at once. @returns its Stripe timestamp */
  async function cancel(id: string): Promise<Date> {
    t.processor.chaos.drop = 0;
    await t.processor.customerActions.cancelAtPeriodEnd(id);
    await t.processor.drain();
    t.processor.chaos.drop = 1;
    return new Date(t.processor.events().at(-1)!.created * 1000);
  }

  /**
   * Reads the tenant's subscription, with work between the moment that Stripe reads it and its
   * response, which has the time of the next second.
   * @returns how often Stripe was read
   */
  async function read(owner: Member, meanwhile: () => Promise<unknown>): Promise<number> {
    t.clock.advance(10); // the last reading on demand is too recent
    const before = runs.lists;
    const delayed = t.processor.delayResponse(LIST);
    const synced = t.api.post('/billing/sync').set(owner.bearer).expect(200).then();
    await delayed.ready;
    await meanwhile();
    t.clock.advance(1);
    delayed.release();
    await synced;
    return runs.lists - before;
  }

  it('keeps a cancellation that Stripe did not know yet, and its Owner is notified once', async () => {
    const { owner, id } = await runs.paid();
    expect(await read(owner, () => cancel(id))).toBe(2);
    expect(await billing.subscription(owner)).toMatchObject({ cancelAtPeriodEnd: true });
    await billing.untilJobsAreDone('sync-subscription');
    expect(await billing.subscription(owner)).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await billing.mails(owner)).toEqual([PLANNED]);
    expect(await billing.notifications(owner)).toEqual(['SubscriptionCanceled']);
  });

  it('keeps a customer that replaced the one of which Stripe was asked', async () => {
    const { owner } = await runs.paid();
    const { id: customer } = await clientOf(t.processor).customers.create({ metadata: { tenantId: owner.tenantId } });
    const replace = () =>
      t.database.query('UPDATE subscriptions SET processor_customer_id = $2 WHERE tenant_id = $1', [
        owner.tenantId,
        customer,
      ]);
    expect(await read(owner, replace)).toBe(2);
    expect(await billing.subscription(owner)).toMatchObject({ processorCustomerId: customer, status: 'Trialing' });
  });

  it('is as Stripe has it after an override of an operator, which came first', async () => {
    const { owner } = await runs.paid();
    const admin = await t.actors.admin();
    const override = () =>
      t.api
        .patch(`/admin/tenants/${owner.tenantId}/subscription`)
        .set(admin.bearer)
        .send({ status: 'Canceled', plan: 'Business' })
        .expect(200)
        .then();
    expect(await read(owner, override)).toBe(2);
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Trialing' });
    const { body } = await t.api
      .get(`/admin/audit-log?target=${owner.tenantId}&action=subscription.changed`)
      .set(admin.bearer)
      .expect(200);
    const changes = (body.data.items as { data: { after: { status: string }; cause: string } }[]).map(
      ({ data: { after, cause } }) => [cause, after.status],
    );
    expect(changes.slice(0, 2)).toEqual([
      ['sync', 'Trialing'],
      ['operator', 'Canceled'],
    ]);
    expect(await billing.mails(owner)).toEqual([]);
  });

  it('is not changed by a page that took seconds, but read again', async () => {
    const { owner, id } = await runs.paid();
    const delayed = t.processor.delayResponse(LIST);
    const synced = runs.sync();
    await delayed.ready;
    const at = await cancel(id);
    const job = [`sync-subscription:${owner.tenantId}`];
    await t.database.query('DELETE FROM graphile_worker._private_jobs WHERE key = $1', job); // that of the event
    await pause(2100);
    delayed.release();
    expect(await synced).toMatchObject({ corrected: 0 });
    expect(await billing.subscription(owner)).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await t.database.query('SELECT FROM graphile_worker.jobs WHERE key = $1', job)).toHaveLength(1);
    const [{ since }] = await t.database.query<{ since: Date }>('SELECT since FROM sync_runs ORDER BY id DESC LIMIT 1');
    expect(since.getTime()).toBeLessThan(at.getTime());
    expect(await billing.mails(owner)).toEqual([PLANNED]);
  });
});
