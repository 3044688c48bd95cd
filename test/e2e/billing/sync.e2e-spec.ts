import { StripeSubscriptions } from '../../../src/billing/stripe/stripe-subscriptions';
import { ok } from '../../../src/platform/result';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { event } from '../../support/stripe-events';
import { SyncRuns } from '../../support/sync-runs';

const DAY = 86_400;

describe('the sync with Stripe', () => {
  let t: TestApp;
  let billing: Billing;
  let runs: SyncRuns;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
    runs = new SyncRuns(t, billing);
  });
  afterAll(() => t.close());
  const logged = (event: string) => t.logLines.filter((line) => line.includes(`"event":"${event}"`));
  /** No event is delivered from here on. */
  beforeEach(() => {
    t.processor.chaos.drop = 1;
  });

  it('corrects a checkout, updates, an end and an override without events, and then finds no more drift', async () => {
    const [lost, changed, ended, overridden, failing] = [
      await runs.paid({ known: false }),
      await runs.paid(),
      await runs.paid(),
      await runs.paid(),
      await runs.paid(),
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
    await t.processor.customerActions.cancelNow((await runs.paid()).id);
    expect(await billing.subscription(lost.owner)).toMatchObject({ plan: 'Free', processorSubscriptionId: null });

    expect(await runs.sync()).toMatchObject({ corrected: 5, unknown: 0 });
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
    expect((await runs.sync()).corrected).toBeGreaterThanOrEqual(3);
    expect(await billing.subscription(failing.owner)).toMatchObject({ status: 'PastDue' });
    expect(await billing.mails(failing.owner)).toEqual(['Payment failed for Acme']);
    expect(await billing.notifications(failing.owner)).toEqual(['SubscriptionPastDue']);
    await t.processor.customerActions.useCard(customer, 'good');
    await runs.sync();
    expect(await billing.mails(failing.owner)).toEqual(['Payment failed for Acme', 'Payment received for Acme']);

    const versions = () =>
      t.database.query('SELECT tenant_id, xmin::text, ctid::text FROM subscriptions ORDER BY tenant_id');
    const before = await versions();
    const asked = runs.retrievals;
    expect(await runs.sync()).toMatchObject({ corrected: 0, unknown: 0 });
    expect(await versions()).toEqual(before); // nothing was written
    expect(runs.retrievals).toBe(asked); // and nobody taken for missing
  }, 40_000);

  it('follows the live subscription after another one was canceled without an event', async () => {
    const { owner, id } = await runs.paid();
    await t.processor.customerActions.cancelNow(id);
    // An employee subscribes the customer again in Stripe's dashboard.
    const [customer] = t.processor.customers().filter(({ metadata }) => metadata.tenantId === owner.tenantId) as {
      id: string;
    }[];
    await t.processor.advance(60);
    const [seeded] = t.processor.seedSubscriptions([owner.tenantId]);
    expect(seeded.customerId).not.toBe(customer.id); // of another customer: nothing that we would follow
    const { unknown } = await runs.sync();
    expect(unknown).toBeGreaterThanOrEqual(1);
    expect(logged('sync.subscriptions_unmatched').join()).toContain(seeded.subscriptionId);
    expect(logged('sync.subscriptions_unmatched').join()).not.toContain(id);
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Canceled', processorSubscriptionId: id });
  });

  it('follows an older live subscription that only Stripe knows, and no second one can be bought', async () => {
    const { owner, id } = await runs.paid();
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

  it('does not change a subscription that Stripe does not know, and counts it', async () => {
    const { owner } = await runs.paid();
    await t.database.query(
      `UPDATE subscriptions SET processor_subscription_id = 'sub_of_another_account',
        processor_customer_id = 'cus_of_another_account'
        WHERE tenant_id = $1`,
      [owner.tenantId],
    );
    const { unknown } = await runs.sync();
    expect(unknown).toBeGreaterThanOrEqual(1);
    expect(logged('sync.subscription_missing')).toEqual([expect.stringContaining('sub_of_another_account')]);
    expect(await billing.subscription(owner)).toMatchObject({
      status: 'Trialing',
      processorSubscriptionId: 'sub_of_another_account',
    });
    const admin = await t.actors.admin();
    const body = { status: 'Canceled', reason: 'the account at the processor was changed' };
    await t.api.patch(`/admin/tenants/${owner.tenantId}/subscription`).set(admin.bearer).send(body).expect(200);
    await t.api.delete('/tenants/current').set(owner.bearer).expect(409);
    t.clock.advance(10);
    await runs.sync(); // now both say that it is over
    await t.api.delete('/tenants/current').set(owner.bearer).expect(200);
  });

  it('corrects what an event did not contain, seconds after it', async () => {
    const { owner, id } = await runs.paid();
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
    afterEach(() => jest.restoreAllMocks());
    const object = (id: string, rest: object) =>
      ({ ...(t.processor.subscriptions().find((one) => one.id === id) as object), ...rest }) as Record<string, unknown>;
    const updated = (id: string, rest: object, at: Date) =>
      event('customer.subscription.updated', object(id, rest), at);

    /**
     * Runs work during each reading of the tenant's subscriptions, which counts as one of the time
     * that the work returns.
     */
    async function during(owner: Member, work: (reading: number) => Promise<Date | undefined>) {
      const { processorCustomerId } = await billing.subscription(owner);
      const stripeSubscriptions = t.nest.get(StripeSubscriptions);
      const ask = stripeSubscriptions.listOfCustomer.bind(stripeSubscriptions);
      let readings = 0;
      jest.spyOn(stripeSubscriptions, 'listOfCustomer').mockImplementation(async (customerId) => {
        const response = await ask(customerId);
        const at = customerId === processorCustomerId ? await work(++readings) : undefined;
        return response.ok && at ? ok({ ...response.value, at }) : response;
      });
    }

    /**
     * A tenant whose row has an event of this second, and whose subscription differs at Stripe.
     * @param meanwhile runs while Stripe is asked
     */
    async function read(meanwhile: (id: string, at: Date) => Promise<void>) {
      const { owner, id } = await runs.paid();
      t.clock.advance(10);
      const at = new Date(Math.floor(t.processor.now().getTime() / 1000) * 1000);
      await billing.take(updated(id, { cancel_at_period_end: true }, at));
      await t.processor.customerActions.changePlan(id, 'price_business_monthly'); // dropped
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', cancelAtPeriodEnd: true });
      await during(owner, async (reading) => {
        if (reading > 1) return undefined;
        await meanwhile(id, at);
        return at;
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

    it('does not win over an event that was applied while it was running: Stripe is read again', async () => {
      const { owner } = await read(async (id, at) => {
        await t.processor.customerActions.cancelAtPeriodEnd(id); // dropped
        await billing.take(updated(id, {}, at));
        await t.processor.customerActions.changePlan(id, 'price_pro_monthly'); // dropped
      });
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', cancelAtPeriodEnd: true });
    });

    it('leaves the last event as it is after three readings that were all overtaken', async () => {
      const { owner, id } = await runs.paid();
      let readings = 0;
      await during(owner, async (reading) => {
        readings = reading;
        t.clock.advance(2);
        const at = new Date(Math.floor(t.processor.now().getTime() / 1000) * 1000);
        await billing.take(updated(id, { status: ['active', 'trialing', 'past_due'][reading - 1] }, at));
        return at;
      });
      t.clock.advance(10);
      await t.api.post('/billing/sync').set(owner.bearer).expect(200);
      expect(readings).toBe(3);
      expect(await billing.subscription(owner)).toMatchObject({ status: 'PastDue' });
    });
  });
});
