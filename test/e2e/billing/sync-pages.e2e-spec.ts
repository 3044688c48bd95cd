import { SubscriptionWriter } from '../../../src/billing/subscriptions/services/subscription-writer';
import type { SubscriptionSnapshot } from '../../../src/billing/subscriptions/domain/subscription-snapshot';
import { StripeSubscriptions } from '../../../src/billing/stripe/stripe-subscriptions';
import { ok } from '../../../src/platform/result';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { eventually } from '../../support/eventually';
import { SyncRuns } from '../../support/sync-runs';

describe('the sync of all pages', () => {
  let t: TestApp;
  let other: TestApp;
  let billing: Billing;
  let runs: SyncRuns;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    // without a worker, so that mocks in the first instance apply to the jobs
    other = await TestApp.start({ processor: true, beside: t, env: { WORKER: 'off' } });
    billing = new Billing(t);
    runs = new SyncRuns(t, billing);
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });
  /** No event is delivered from here on. */
  beforeEach(() => {
    t.processor.chaos.drop = 1;
  });

  it('skips a subscription that the database refuses, and corrects all others', async () => {
    const [one, other, { owner, id }] = [await t.actors.owner(), await t.actors.owner(), await runs.paid()];
    const seeded = t.processor.seedSubscriptions([one.tenantId, other.tenantId]);
    const stripeSubscriptions = t.nest.get(StripeSubscriptions);
    const read = stripeSubscriptions.listPage.bind(stripeSubscriptions);
    const sameCustomer = (state: SubscriptionSnapshot) =>
      seeded.some(({ subscriptionId }) => subscriptionId === state.subscriptionId)
        ? { ...state, customerId: 'cus_of_both' }
        : state;
    jest.spyOn(stripeSubscriptions, 'listPage').mockImplementation(async (after) => {
      const page = await read(after);
      return page.ok ? ok({ ...page.value, snapshots: page.value.snapshots.map(sameCustomer) }) : page;
    });
    await t.processor.customerActions.changePlan(id, 'price_business_monthly');
    expect((await runs.sync()).unknown).toBeGreaterThanOrEqual(1);
    jest.restoreAllMocks();
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
    const served = await Promise.all([one, other].map(billing.subscription.bind(billing)));
    expect(served.map(({ plan }) => plan).sort()).toEqual(['Free', 'Pro']);
    await t.database.query(
      `UPDATE subscriptions SET processor_status = 'canceled' WHERE processor_customer_id = 'cus_of_both'`,
    ); // for the next tests
  });

  it('stores the customers of a page one by one if the whole page fails', async () => {
    const { owner, id } = await runs.paid();
    await t.processor.customerActions.changePlan(id, 'price_business_monthly');
    const settle = jest
      .spyOn(t.nest.get(SubscriptionWriter), 'save')
      .mockRejectedValueOnce(new Error('one of them is bad'));
    await runs.sync();
    settle.mockRestore();
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
  });

  it('restarts if Stripe does not know the cursor of an earlier run: other account or deleted data', async () => {
    const { owner, id } = await runs.paid();
    const before = await runs.countFinished();
    await t.database.query(
      `INSERT INTO sync_runs (id, slot, started_at, cursor)
        VALUES ('ffffffff-0000-7000-8000-000000000001', '2029-06-01', now(), 'sub_of_before')`,
    );
    t.clock.advance(10);
    await t.processor.customerActions.changePlan(id, 'price_business_monthly');
    t.clock.advance(2);
    runs.nextSlot();
    await runs.begin();
    await runs.finished(before + 1);
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
    await t.database.query(`DELETE FROM sync_runs WHERE id = 'ffffffff-0000-7000-8000-000000000001'`);
  });

  it('runs once if several instances start it', async () => {
    const before = await runs.countFinished();
    runs.nextSlot();
    await Promise.all([runs.begin(), runs.begin(other), runs.begin(), runs.begin(other)]);
    await runs.finished(before + 1);
    await billing.untilJobsAreDone('sync-subscriptions');
    expect(await runs.countFinished()).toBe(before + 1);
  });

  it('makes one call per page, not per tenant: 3 calls for 250 subscriptions, also unmatched ones', async () => {
    const owners = await Promise.all(Array.from({ length: 3 }, () => t.actors.owner()));
    t.processor.seedSubscriptions([
      ...owners.map(({ tenantId }) => tenantId),
      ...Array.from({ length: 247 }, (_, i) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`),
    ]);
    const pages = Math.ceil(t.processor.subscriptions().length / 100);
    const before = runs.lists;
    const { seen, unknown } = await runs.sync();
    expect(seen).toBe(t.processor.subscriptions().length);
    expect(unknown).toBeGreaterThanOrEqual(247);
    expect(runs.lists - before).toBe(pages);
    for (const owner of owners)
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Active' });
  }, 30_000);

  it('makes one call per page if hundreds were created in one second, and one for one that is on no page', async () => {
    const tenantIds = Array.from({ length: 250 }, (_, i) => `11111111-0000-7000-8000-${String(i).padStart(12, '0')}`);
    // Tenants without an Owner, which this test does not need: triggers are off for this statement.
    await t.database.query(`
      SET LOCAL session_replication_role = replica;
      INSERT INTO tenants (id, name, name_key, created_at) SELECT id::uuid, 'Tie', 'tie', now()
        FROM unnest('{${tenantIds.join()}}'::text[]) AS id`);
    const seeded = t.processor.seedSubscriptions(tenantIds);
    await t.processor.advance(10);
    // so that the second does not start or end with a page
    t.processor.seedSubscriptions(['00000000-0000-7000-8000-999999999999']);
    await runs.sync();
    const [pages, before] = [
      Math.ceil(t.processor.subscriptions().length / 100),
      { lists: runs.lists, asked: runs.retrievals },
    ];
    expect(await runs.sync()).toMatchObject({ corrected: 0 });
    expect([runs.lists - before.lists, runs.retrievals - before.asked]).toEqual([pages, 0]);

    const stripeSubscriptions = t.nest.get(StripeSubscriptions);
    const read = stripeSubscriptions.listPage.bind(stripeSubscriptions);
    const { subscriptionId: missing } = seeded[125];
    jest.spyOn(stripeSubscriptions, 'listPage').mockImplementation(async (after) => {
      const page = await read(after);
      return page.ok
        ? ok({
            ...page.value,
            snapshots: page.value.snapshots.filter(({ subscriptionId }) => subscriptionId !== missing),
          })
        : page;
    });
    await runs.sync();
    jest.restoreAllMocks();
    expect(runs.retrievals - before.asked).toBe(1);
    expect(await t.database.query('SELECT FROM sync_ties')).toEqual([]);
  }, 30_000);

  it('waits while Stripe throttles', async () => {
    t.processor.injectFault('rate-limit', 2, '/v1/subscriptions');
    const start = performance.now();
    await runs.sync();
    expect(performance.now() - start).toBeGreaterThan(1500);
  }, 30_000);

  it('continues from its last page after an outage, by the next attempt of its job', async () => {
    const drifted = await runs.paid({ known: false }); // the newest: on the first page
    const before = await runs.countFinished();
    const pages = Math.ceil(t.processor.subscriptions().length / 100);
    expect(pages).toBeGreaterThanOrEqual(3);
    runs.nextSlot();
    const listed = runs.lists;
    const gone = eventually(
      () => (runs.lists > listed ? t.processor.stop().then(() => true) : undefined),
      'the first page',
    );
    await runs.begin();
    await gone;
    const progress = `SELECT cursor, has_read_all FROM sync_runs WHERE finished_at IS NULL`;
    await eventually(
      async () =>
        (await t.database.query(`SELECT FROM graphile_worker.jobs WHERE attempts > 0 AND locked_at IS NULL`)).length >
          0 || undefined,
      'a failure',
    );
    expect(await t.database.query(progress)).toMatchObject([{ has_read_all: false }]);
    await t.processor.start();
    await billing.untilJobsAreDone('sync-subscriptions');
    await runs.finished(before + 1);
    // only the page whose response was lost is read again
    expect(runs.lists - listed).toBeLessThanOrEqual(pages + 1);
    expect(await billing.subscription(drifted.owner)).toMatchObject({ status: 'Trialing' });
  }, 40_000);

  it('requests subscriptions that are on no page', async () => {
    const { owner, id } = await runs.paid();
    await t.database.query(`UPDATE subscriptions SET status = 'PastDue' WHERE tenant_id = $1`, [owner.tenantId]);
    const stripeSubscriptions = t.nest.get(StripeSubscriptions);
    const read = stripeSubscriptions.listPage.bind(stripeSubscriptions);
    jest.spyOn(stripeSubscriptions, 'listPage').mockImplementation(async (after) => {
      const page = await read(after);
      return page.ok
        ? ok({ ...page.value, snapshots: page.value.snapshots.filter(({ subscriptionId }) => subscriptionId !== id) })
        : page;
    });
    const before = runs.retrievals;
    await runs.sync();
    jest.restoreAllMocks();
    expect(runs.retrievals).toBeGreaterThan(before);
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Trialing', processorSubscriptionId: id });
  });

  it('shows its drift to operators and in the metrics', async () => {
    const { owner, id } = await runs.paid();
    await t.processor.customerActions.changePlan(id, 'price_business_monthly');
    const { corrected, unknown, seen } = await runs.sync();
    expect(corrected).toBe(1);
    const admin = await t.actors.admin();
    const { lastSync } = (await t.api.get('/admin/overview').set(admin.bearer).expect(200)).body.data;
    expect(lastSync).toEqual({
      seen,
      corrected,
      unknown,
      unknownPrices: [],
      startedAt: expect.stringMatching(/Z$/),
      finishedAt: expect.stringMatching(/Z$/),
    });
    const { text } = await t.http.get('/metrics').expect(200);
    expect(text).toContain('billing_sync_last_run{what="corrected"} 1\n');
    expect(text).toContain(`billing_sync_last_run{what="seen"} ${seen}\n`);
    expect(text).toMatch(/processor_calls_total\{operation="subscriptions.page",outcome="throttled"\} 2\n/);
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
  });
});
