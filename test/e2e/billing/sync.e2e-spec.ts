import { BillingSchedule } from '../../../src/billing/billing.schedule';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { eventually } from '../../support/eventually';

const DAY = 86_400;

describe('the sync with the processor', () => {
  let t: TestApp;
  let other: TestApp;
  let billing: Billing;
  let slot = 0;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    other = await TestApp.start({ processor: true, beside: t });
    billing = new Billing(t);
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });
  /** From here on no event arrives. */
  beforeEach(() => void (t.processor.chaos.drop = 1));

  const lists = () => t.processor.calls.get('GET /v1/subscriptions') ?? 0;
  const begin = (app = t) => app.nest.get(BillingSchedule).beginSync(new Date(Date.UTC(2030, 0, 1, slot)));
  const finished = async (count: number) =>
    eventually(async () => {
      const runs = await t.database.query<{ seen: number; corrected: number; unknown: number }>(
        'SELECT seen, corrected, "unknown" FROM sync_runs WHERE finished_at IS NOT NULL ORDER BY id',
      );
      return runs.length >= count ? runs.at(-1) : undefined;
    }, 'the end of the sync');
  const countFinished = async () =>
    (await t.database.query<{ n: number }>('SELECT count(*)::int AS n FROM sync_runs WHERE finished_at IS NOT NULL'))[0].n;
  async function sync() {
    const before = await countFinished();
    slot++;
    await begin();
    return finished(before + 1);
  }
  /** A tenant that has paid at the processor, which we hear of only if told to. */
  async function paid({ known = true } = {}): Promise<{ owner: Member; id: string }> {
    const owner = await t.actors.owner();
    t.processor.chaos.drop = known ? 0 : 1;
    const { checkoutUrl } = (await t.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Pro' }).expect(200)).body.data;
    await t.processor.person.pay(checkoutUrl as string);
    await t.processor.drain();
    await billing.untilJobsAreDone('sync-subscription');
    t.processor.chaos.drop = 1;
    const { id } = t.processor.subscriptions().find(({ metadata }) => metadata.tenantId === owner.tenantId) as { id: string };
    return { owner, id };
  }

  it('heals a checkout, updates, an end and an override that nobody told of, and then finds nothing more', async () => {
    const [lost, changed, ended, overridden, failing] = [await paid({ known: false }), await paid(), await paid(), await paid(), await paid()];
    await t.processor.person.changePlan(changed.id, 'price_business_monthly');
    await t.processor.person.cancelAtPeriodEnd(changed.id);
    await t.processor.person.cancelNow(ended.id);
    const admin = await t.actors.admin();
    const override = { status: 'Canceled', plan: 'Business' };
    await t.api.patch(`/admin/tenants/${overridden.owner.tenantId}/subscription`).set(admin.bearer).send(override).expect(200);
    const customer = (await billing.subscription(failing.owner)).processorCustomerId!;
    await t.processor.person.useCard(customer, 'declining');
    await t.processor.person.cancelNow((await paid()).id);
    expect(await billing.subscription(lost.owner)).toMatchObject({ plan: 'Free', processorSubscriptionId: null });

    expect(await sync()).toMatchObject({ corrected: 5, unknown: 0 });
    expect(await billing.subscription(lost.owner)).toMatchObject({ plan: 'Pro', status: 'Trialing', processorSubscriptionId: lost.id });
    expect(await billing.subscription(changed.owner)).toMatchObject({ plan: 'Business', cancelAtPeriodEnd: true });
    expect(await billing.notifications(changed.owner)).toEqual(['SubscriptionCanceled']);
    expect(await billing.subscription(ended.owner)).toMatchObject({ status: 'Canceled' });
    expect(await billing.subscription(overridden.owner)).toMatchObject({ plan: 'Pro', status: 'Trialing' });
    expect((await t.api.get('/auth/me').set(overridden.owner.bearer).expect(200)).body.data.subscription).toMatchObject({
      plan: 'Pro',
      status: 'Trialing',
    });

    await t.processor.advance(15 * DAY); // the trials end, and one card is declined
    expect((await sync()).corrected).toBeGreaterThanOrEqual(3);
    expect(await billing.subscription(failing.owner)).toMatchObject({ status: 'PastDue' });
    expect(await billing.mails(failing.owner)).toEqual(['The payment for Acme failed']);
    expect(await billing.notifications(failing.owner)).toEqual(['SubscriptionPastDue']);
    await t.processor.person.useCard(customer, 'good');
    await sync();
    expect(await billing.mails(failing.owner)).toEqual(['The payment for Acme failed', 'The payment for Acme succeeded']);

    const { updatedAt } = await billing.subscription(changed.owner);
    expect(await sync()).toMatchObject({ corrected: 0, unknown: 0 });
    expect((await billing.subscription(changed.owner)).updatedAt).toBe(updatedAt);
  }, 40_000);

  it('takes the subscription that lives where another was canceled unheard', async () => {
    const { owner, id } = await paid();
    await t.processor.person.cancelNow(id);
    // Somebody subscribes the customer again in the processor's own dashboard.
    const [customer] = t.processor.customers().filter(({ metadata }) => metadata.tenantId === owner.tenantId) as { id: string }[];
    await t.processor.advance(60);
    const [planted] = t.processor.plant([owner.tenantId]);
    expect(planted.customerId).not.toBe(customer.id); // of another customer: nothing that we would follow
    const { unknown } = await sync();
    expect(unknown).toBeGreaterThanOrEqual(1);
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Canceled', processorSubscriptionId: id });
  });

  it('happens once, of however many instances begin it', async () => {
    const before = await countFinished();
    slot++;
    await Promise.all([begin(), begin(other), begin(), begin(other)]);
    await finished(before + 1);
    await billing.untilJobsAreDone('sync-subscriptions');
    expect(await countFinished()).toBe(before + 1);
  });

  it('costs pages and not tenants: 250 subscriptions are 3 calls, also those that are nobody’s here', async () => {
    const owners = await Promise.all(Array.from({ length: 3 }, () => t.actors.owner()));
    t.processor.plant([
      ...owners.map(({ tenantId }) => tenantId),
      ...Array.from({ length: 247 }, (_, i) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`),
    ]);
    const pages = Math.ceil(t.processor.subscriptions().length / 100);
    const before = lists();
    const { seen, unknown } = await sync();
    expect(seen).toBe(t.processor.subscriptions().length);
    expect(unknown).toBeGreaterThanOrEqual(247);
    expect(lists() - before).toBe(pages);
    for (const owner of owners) expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Active' });
  }, 30_000);

  it('waits when the processor throttles', async () => {
    t.processor.misbehave('rate-limit', 2, '/v1/subscriptions');
    const start = performance.now();
    await sync();
    expect(performance.now() - start).toBeGreaterThan(1500);
  }, 30_000);

  it('goes on where it was after an outage midway, by its own next attempt', async () => {
    const drifted = await paid({ known: false }); // the newest: on the first page
    const before = await countFinished();
    const pages = Math.ceil(t.processor.subscriptions().length / 100);
    expect(pages).toBeGreaterThanOrEqual(3);
    slot++;
    const listed = lists();
    const gone = eventually(() => (lists() > listed ? t.processor.stop().then(() => true) : undefined), 'the first page');
    await begin();
    await gone;
    const progress = `SELECT cursor, has_read_all FROM sync_runs WHERE finished_at IS NULL`;
    await eventually(
      async () => (await t.database.query(`SELECT FROM graphile_worker.jobs WHERE attempts > 0 AND locked_at IS NULL`)).length > 0 || undefined,
      'a failure',
    );
    expect(await t.database.query(progress)).toMatchObject([{ has_read_all: false }]);
    await t.processor.start();
    await billing.untilJobsAreDone('sync-subscriptions');
    await finished(before + 1);
    expect(lists() - listed).toBeLessThanOrEqual(pages + 1); // the page whose answer was lost is read again, none before it
    expect(await billing.subscription(drifted.owner)).toMatchObject({ status: 'Trialing' });
  }, 40_000);

  it('takes up by the next run what an earlier one left, and looks after those of whom no page tells', async () => {
    const { owner, id } = await paid();
    await t.database.query(`UPDATE subscriptions SET status = 'PastDue', as_of = NULL WHERE tenant_id = $1`, [owner.tenantId]);
    const left = `INSERT INTO sync_runs (id, slot, started_at, has_read_all, since) VALUES (gen_random_uuid(), '2029-01-01', now(), true, now() - interval '1 hour')`;
    await t.database.query(left.replace('gen_random_uuid()', `'ffffffff-0000-7000-8000-000000000000'`));
    const before = await countFinished();
    const listed = lists();
    slot++;
    await begin();
    await finished(before + 1);
    expect(lists()).toBe(listed); // all pages were read; only this one was asked for
    expect(t.processor.calls.get('GET /v1/subscriptions/{id}')).toBeGreaterThan(0);
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Trialing', processorSubscriptionId: id });
    await t.database.query(`DELETE FROM sync_runs WHERE id = 'ffffffff-0000-7000-8000-000000000000'`);
  });

  it('leaves a subscription alone that the processor does not know, and counts it', async () => {
    const { owner } = await paid();
    await t.database.query(`UPDATE subscriptions SET processor_subscription_id = 'sub_of_another_account', as_of = NULL WHERE tenant_id = $1`, [
      owner.tenantId,
    ]);
    const { unknown } = await sync();
    expect(unknown).toBeGreaterThanOrEqual(1);
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Trialing', processorSubscriptionId: 'sub_of_another_account' });
  });

  it('shows operators its drift, and the metrics too', async () => {
    const { owner, id } = await paid();
    await t.processor.person.changePlan(id, 'price_business_monthly');
    const { corrected, unknown, seen } = await sync();
    expect(corrected).toBe(1);
    const admin = await t.actors.admin();
    const { lastSync } = (await t.api.get('/admin/overview').set(admin.bearer).expect(200)).body.data;
    expect(lastSync).toEqual({ seen, corrected, unknown, startedAt: expect.stringMatching(/Z$/), finishedAt: expect.stringMatching(/Z$/) });
    const { text } = await t.http.get('/metrics').expect(200);
    expect(text).toContain('billing_sync_last_run{what="corrected"} 1\n');
    expect(text).toContain(`billing_sync_last_run{what="seen"} ${seen}\n`);
    expect(text).toMatch(/processor_calls_total\{operation="subscriptions.page",outcome="throttled"\} 2\n/);
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
  });

  it('corrects, seconds after an event, what the event itself did not tell', async () => {
    const { owner, id } = await paid();
    await t.processor.person.changePlan(id, 'price_business_monthly'); // dropped
    t.processor.chaos.drop = 0;
    await t.processor.person.cancelAtPeriodEnd(id);
    await t.processor.person.changePlan(id, 'price_pro_monthly');
    await t.processor.drain();
    t.processor.chaos.drop = 1;
    await t.processor.person.resume(id);
    await billing.untilJobsAreDone('sync-subscription');
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', cancelAtPeriodEnd: false });
  });
});
