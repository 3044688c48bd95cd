import { CommandBus } from '@nestjs/cqrs';
import { StartSync } from '../../../src/billing/sync/commands/start-sync';
import { SubscriptionWriter } from '../../../src/billing/subscriptions/services/subscription-writer';
import type { SubscriptionSnapshot } from '../../../src/billing/subscriptions/domain/subscription-snapshot';
import { StripeSubscriptions } from '../../../src/billing/stripe/stripe-subscriptions';
import { ok } from '../../../src/platform/result';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { event } from '../../support/stripe-events';
import { eventually } from '../../support/eventually';

const DAY = 86_400;

describe('the sync with Stripe', () => {
  let t: TestApp;
  let other: TestApp;
  let billing: Billing;
  let slot = 0;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    // without a worker, so that mocks in the first instance apply to the jobs
    other = await TestApp.start({ processor: true, beside: t, env: { WORKER: 'off' } });
    billing = new Billing(t);
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });
  /** No event is delivered from here on. */
  beforeEach(() => {
    t.processor.chaos.drop = 1;
  });

  const lists = () => t.processor.calls.get('GET /v1/subscriptions') ?? 0;
  const begin = (app = t) =>
    app.nest.get(CommandBus).execute(new StartSync(null, new Date(Date.UTC(2030, 0, 1, slot))));
  const finished = async (count: number) =>
    eventually(async () => {
      const runs = await t.database.query<{ seen: number; corrected: number; unknown: number }>(
        'SELECT seen, corrected, "unknown" FROM sync_runs WHERE finished_at IS NOT NULL ORDER BY id',
      );
      return runs.length >= count ? runs.at(-1) : undefined;
    }, 'the end of the sync');
  const countFinished = async () =>
    (await t.database.query<{ n: number }>('SELECT count(*)::int AS n FROM sync_runs WHERE finished_at IS NOT NULL'))[0]
      .n;
  async function sync() {
    t.clock.advance(2); // a reading of the second of the last event would say nothing
    const before = await countFinished();
    slot++;
    await begin();
    return finished(before + 1);
  }
  /** A tenant that has paid at Stripe. @param known whether the events were delivered */
  async function paid({ known = true } = {}): Promise<{ owner: Member; id: string }> {
    const owner = await t.actors.owner();
    t.processor.chaos.drop = known ? 0 : 1;
    const { checkoutUrl } = (
      await t.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Pro' }).expect(200)
    ).body.data;
    await t.processor.customerActions.pay(checkoutUrl as string);
    await t.processor.drain();
    await billing.untilJobsAreDone('sync-subscription');
    t.processor.chaos.drop = 1;
    const { id } = t.processor.subscriptions().find(({ metadata }) => metadata.tenantId === owner.tenantId) as {
      id: string;
    };
    return { owner, id };
  }

  it('corrects a checkout, updates, an end and an override without events, and then finds no more drift', async () => {
    const [lost, changed, ended, overridden, failing] = [
      await paid({ known: false }),
      await paid(),
      await paid(),
      await paid(),
      await paid(),
    ];
    await t.processor.customerActions.changePlan(changed.id, 'price_business_monthly');
    await t.processor.customerActions.cancelAtPeriodEnd(changed.id);
    await t.processor.customerActions.cancelNow(ended.id);
    const admin = await t.actors.admin();
    const override = { status: 'Canceled', plan: 'Business' };
    await t.api
      .patch(`/admin/tenants/${overridden.owner.tenantId}/subscription`)
      .set(admin.bearer)
      .send(override)
      .expect(200);
    const customer = (await billing.subscription(failing.owner)).processorCustomerId!;
    await t.processor.customerActions.useCard(customer, 'declining');
    await t.processor.customerActions.cancelNow((await paid()).id);
    expect(await billing.subscription(lost.owner)).toMatchObject({ plan: 'Free', processorSubscriptionId: null });

    expect(await sync()).toMatchObject({ corrected: 5, unknown: 0 });
    expect(await billing.subscription(lost.owner)).toMatchObject({
      plan: 'Pro',
      status: 'Trialing',
      processorSubscriptionId: lost.id,
    });
    expect(await billing.subscription(changed.owner)).toMatchObject({ plan: 'Business', cancelAtPeriodEnd: true });
    expect(await billing.notifications(changed.owner)).toEqual(['SubscriptionCanceled']);
    expect(await billing.subscription(ended.owner)).toMatchObject({ status: 'Canceled' });
    expect(await billing.subscription(overridden.owner)).toMatchObject({ plan: 'Pro', status: 'Trialing' });
    expect((await t.api.get('/auth/me').set(overridden.owner.bearer).expect(200)).body.data.subscription).toMatchObject(
      {
        plan: 'Pro',
        status: 'Trialing',
      },
    );

    await t.processor.advance(15 * DAY); // the trials end, and one card is declined
    expect((await sync()).corrected).toBeGreaterThanOrEqual(3);
    expect(await billing.subscription(failing.owner)).toMatchObject({ status: 'PastDue' });
    expect(await billing.mails(failing.owner)).toEqual(['Payment failed for Acme']);
    expect(await billing.notifications(failing.owner)).toEqual(['SubscriptionPastDue']);
    await t.processor.customerActions.useCard(customer, 'good');
    await sync();
    expect(await billing.mails(failing.owner)).toEqual(['Payment failed for Acme', 'Payment received for Acme']);

    const versions = () =>
      t.database.query('SELECT tenant_id, xmin::text, ctid::text FROM subscriptions ORDER BY tenant_id');
    const before = await versions();
    const asked = t.processor.calls.get('GET /v1/subscriptions/{id}') ?? 0;
    expect(await sync()).toMatchObject({ corrected: 0, unknown: 0 });
    expect(await versions()).toEqual(before); // nothing was written
    expect(t.processor.calls.get('GET /v1/subscriptions/{id}') ?? 0).toBe(asked); // and nobody taken for missing
  }, 40_000);

  it('follows the live subscription after another one was canceled without an event', async () => {
    const { owner, id } = await paid();
    await t.processor.customerActions.cancelNow(id);
    // An employee subscribes the customer again in Stripe's dashboard.
    const [customer] = t.processor.customers().filter(({ metadata }) => metadata.tenantId === owner.tenantId) as {
      id: string;
    }[];
    await t.processor.advance(60);
    const [seeded] = t.processor.seedSubscriptions([owner.tenantId]);
    expect(seeded.customerId).not.toBe(customer.id); // of another customer: nothing that we would follow
    const { unknown } = await sync();
    expect(unknown).toBeGreaterThanOrEqual(1);
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Canceled', processorSubscriptionId: id });
  });

  it('follows an older live subscription that only Stripe knows, and no second one can be bought', async () => {
    const { owner, id } = await paid();
    const { processorCustomerId } = await billing.subscription(owner);
    // The stored subscription is a newer one, which was canceled.
    await t.database.query(
      `UPDATE subscriptions SET processor_subscription_id = 'sub_newer', status = 'Canceled',
        processor_status = 'canceled',
              subscription_created_at = subscription_created_at + interval '1 hour' WHERE tenant_id = $1`,
      [owner.tenantId],
    );
    t.clock.advance(10);
    const refused = await t.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Pro' }).expect(409);
    expect(refused.body.error.code).toBe('ALREADY_SUBSCRIBED');
    expect(await billing.subscription(owner)).toMatchObject({
      processorSubscriptionId: id,
      status: 'Trialing',
      processorCustomerId,
    });
  });

  it('skips a subscription that the database refuses, and corrects all others', async () => {
    const [one, other, { owner, id }] = [await t.actors.owner(), await t.actors.owner(), await paid()];
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
    expect((await sync()).unknown).toBeGreaterThanOrEqual(1);
    jest.restoreAllMocks();
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
    const served = await Promise.all([one, other].map(billing.subscription.bind(billing)));
    expect(served.map(({ plan }) => plan).sort()).toEqual(['Free', 'Pro']);
    await t.database.query(
      `UPDATE subscriptions SET processor_status = 'canceled' WHERE processor_customer_id = 'cus_of_both'`,
    ); // for the next tests
  });

  it('stores the customers of a page one by one if the whole page fails', async () => {
    const { owner, id } = await paid();
    await t.processor.customerActions.changePlan(id, 'price_business_monthly');
    const settle = jest
      .spyOn(t.nest.get(SubscriptionWriter), 'save')
      .mockRejectedValueOnce(new Error('one of them is bad'));
    await sync();
    settle.mockRestore();
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
  });

  it('restarts if Stripe does not know the cursor of an earlier run: other account or deleted data', async () => {
    const { owner, id } = await paid();
    const before = await countFinished();
    await t.database.query(
      `INSERT INTO sync_runs (id, slot, started_at, cursor)
        VALUES ('ffffffff-0000-7000-8000-000000000001', '2029-06-01', now(), 'sub_of_before')`,
    );
    t.clock.advance(10);
    await t.processor.customerActions.changePlan(id, 'price_business_monthly');
    t.clock.advance(2);
    slot++;
    await begin();
    await finished(before + 1);
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
    await t.database.query(`DELETE FROM sync_runs WHERE id = 'ffffffff-0000-7000-8000-000000000001'`);
  });

  it('runs once if several instances start it', async () => {
    const before = await countFinished();
    slot++;
    await Promise.all([begin(), begin(other), begin(), begin(other)]);
    await finished(before + 1);
    await billing.untilJobsAreDone('sync-subscriptions');
    expect(await countFinished()).toBe(before + 1);
  });

  it('makes one call per page, not per tenant: 3 calls for 250 subscriptions, also unmatched ones', async () => {
    const owners = await Promise.all(Array.from({ length: 3 }, () => t.actors.owner()));
    t.processor.seedSubscriptions([
      ...owners.map(({ tenantId }) => tenantId),
      ...Array.from({ length: 247 }, (_, i) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`),
    ]);
    const pages = Math.ceil(t.processor.subscriptions().length / 100);
    const before = lists();
    const { seen, unknown } = await sync();
    expect(seen).toBe(t.processor.subscriptions().length);
    expect(unknown).toBeGreaterThanOrEqual(247);
    expect(lists() - before).toBe(pages);
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
    await sync();
    const asked = () => t.processor.calls.get('GET /v1/subscriptions/{id}') ?? 0;
    const [pages, before] = [Math.ceil(t.processor.subscriptions().length / 100), { lists: lists(), asked: asked() }];
    expect(await sync()).toMatchObject({ corrected: 0 });
    expect([lists() - before.lists, asked() - before.asked]).toEqual([pages, 0]);

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
    await sync();
    jest.restoreAllMocks();
    expect(asked() - before.asked).toBe(1);
    expect(await t.database.query('SELECT FROM sync_ties')).toEqual([]);
  }, 30_000);

  it('waits while Stripe throttles', async () => {
    t.processor.injectFault('rate-limit', 2, '/v1/subscriptions');
    const start = performance.now();
    await sync();
    expect(performance.now() - start).toBeGreaterThan(1500);
  }, 30_000);

  it('continues from its last page after an outage, by the next attempt of its job', async () => {
    const drifted = await paid({ known: false }); // the newest: on the first page
    const before = await countFinished();
    const pages = Math.ceil(t.processor.subscriptions().length / 100);
    expect(pages).toBeGreaterThanOrEqual(3);
    slot++;
    const listed = lists();
    const gone = eventually(
      () => (lists() > listed ? t.processor.stop().then(() => true) : undefined),
      'the first page',
    );
    await begin();
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
    await finished(before + 1);
    // only the page whose response was lost is read again
    expect(lists() - listed).toBeLessThanOrEqual(pages + 1);
    expect(await billing.subscription(drifted.owner)).toMatchObject({ status: 'Trialing' });
  }, 40_000);

  it('requests subscriptions that are on no page', async () => {
    const { owner, id } = await paid();
    await t.database.query(`UPDATE subscriptions SET status = 'PastDue' WHERE tenant_id = $1`, [owner.tenantId]);
    const stripeSubscriptions = t.nest.get(StripeSubscriptions);
    const read = stripeSubscriptions.listPage.bind(stripeSubscriptions);
    jest.spyOn(stripeSubscriptions, 'listPage').mockImplementation(async (after) => {
      const page = await read(after);
      return page.ok
        ? ok({ ...page.value, snapshots: page.value.snapshots.filter(({ subscriptionId }) => subscriptionId !== id) })
        : page;
    });
    const asked = () => t.processor.calls.get('GET /v1/subscriptions/{id}') ?? 0;
    const before = asked();
    await sync();
    jest.restoreAllMocks();
    expect(asked()).toBeGreaterThan(before);
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Trialing', processorSubscriptionId: id });
  });

  it('does not change a subscription that Stripe does not know, and counts it', async () => {
    const { owner } = await paid();
    await t.database.query(
      `UPDATE subscriptions SET processor_subscription_id = 'sub_of_another_account',
        processor_customer_id = 'cus_of_another_account'
        WHERE tenant_id = $1`,
      [owner.tenantId],
    );
    const { unknown } = await sync();
    expect(unknown).toBeGreaterThanOrEqual(1);
    expect(await billing.subscription(owner)).toMatchObject({
      status: 'Trialing',
      processorSubscriptionId: 'sub_of_another_account',
    });
    const admin = await t.actors.admin();
    const body = { status: 'Canceled', reason: 'the account at the processor was changed' };
    await t.api.patch(`/admin/tenants/${owner.tenantId}/subscription`).set(admin.bearer).send(body).expect(200);
    await t.api.delete('/tenants/current').set(owner.bearer).expect(409);
    t.clock.advance(10);
    await sync(); // now both say that it is over
    await t.api.delete('/tenants/current').set(owner.bearer).expect(200);
  });

  it('shows its drift to operators and in the metrics', async () => {
    const { owner, id } = await paid();
    await t.processor.customerActions.changePlan(id, 'price_business_monthly');
    const { corrected, unknown, seen } = await sync();
    expect(corrected).toBe(1);
    const admin = await t.actors.admin();
    const { lastSync } = (await t.api.get('/admin/overview').set(admin.bearer).expect(200)).body.data;
    expect(lastSync).toEqual({
      seen,
      corrected,
      unknown,
      startedAt: expect.stringMatching(/Z$/),
      finishedAt: expect.stringMatching(/Z$/),
    });
    const { text } = await t.http.get('/metrics').expect(200);
    expect(text).toContain('billing_sync_last_run{what="corrected"} 1\n');
    expect(text).toContain(`billing_sync_last_run{what="seen"} ${seen}\n`);
    expect(text).toMatch(/processor_calls_total\{operation="subscriptions.page",outcome="throttled"\} 2\n/);
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
  });

  it('corrects what an event did not contain, seconds after it', async () => {
    const { owner, id } = await paid();
    await t.processor.customerActions.changePlan(id, 'price_business_monthly'); // dropped
    t.processor.chaos.drop = 0;
    await t.processor.customerActions.cancelAtPeriodEnd(id);
    await t.processor.customerActions.changePlan(id, 'price_pro_monthly');
    await t.processor.drain();
    t.processor.chaos.drop = 1;
    t.clock.advance(5);
    await t.processor.customerActions.resume(id);
    await billing.untilJobsAreDone('sync-subscription');
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', cancelAtPeriodEnd: false });
  });

  describe('in the same second as the last event', () => {
    const object = (id: string, rest: object) =>
      ({ ...(t.processor.subscriptions().find((one) => one.id === id) as object), ...rest }) as Record<string, unknown>;
    const updated = (id: string, rest: object, at: Date) =>
      event('customer.subscription.updated', object(id, rest), at);

    /**
     * A tenant whose row has an event of this second, and whose subscription differs at Stripe.
     * @param meanwhile runs while Stripe is asked
     */
    async function read(meanwhile: (id: string, at: Date) => Promise<void>) {
      const { owner, id } = await paid();
      t.clock.advance(10);
      const at = new Date(Math.floor(t.processor.now().getTime() / 1000) * 1000);
      await billing.take(updated(id, { cancel_at_period_end: true }, at));
      await t.processor.customerActions.changePlan(id, 'price_business_monthly'); // dropped
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', cancelAtPeriodEnd: true });
      const stripeSubscriptions = t.nest.get(StripeSubscriptions);
      const ask = stripeSubscriptions.listOfCustomer.bind(stripeSubscriptions);
      jest.spyOn(stripeSubscriptions, 'listOfCustomer').mockImplementationOnce(async (customerId) => {
        const answer = await ask(customerId);
        await meanwhile(id, at);
        return answer.ok ? ok({ ...answer.value, at }) : answer;
      });
      await t.api.post('/billing/sync').set(owner.bearer).expect(200);
      return { owner, id, at };
    }

    it('wins if it started after that event; a later event leads to another sync', async () => {
      const { owner, id, at } = await read(() => Promise.resolve());
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business', cancelAtPeriodEnd: false });
      await t.database.query(`DELETE FROM graphile_worker._private_jobs WHERE key = $1`, [
        `sync-subscription:${owner.tenantId}`,
      ]);
      await billing.take(updated(id, { status: 'past_due' }, at));
      expect(await billing.subscription(owner)).toMatchObject({ status: 'Trialing' });
      expect(
        await t.database.query(`SELECT FROM graphile_worker.jobs WHERE key = $1`, [
          `sync-subscription:${owner.tenantId}`,
        ]),
      ).toHaveLength(1);
    });

    it('changes nothing if an event was applied while it was running', async () => {
      const { owner } = await read((id, at) =>
        billing.take(updated(id, { status: 'past_due', cancel_at_period_end: true }, at)),
      );
      expect(await billing.subscription(owner)).toMatchObject({ status: 'PastDue', cancelAtPeriodEnd: true });
    });
  });
});
