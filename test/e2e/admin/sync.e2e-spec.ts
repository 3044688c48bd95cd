import { newId } from '../../../src/platform/ids';
import type { Bearer, Member, SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { eventually } from '../../support/eventually';

describe('a sync started by an operator', () => {
  let t: TestApp;
  let admin: SignedInUser;
  let former: SignedInUser;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true, env: { WORKER: 'off' } });
    t.processor.chaos.drop = 1; // no webhook event arrives
    billing = new Billing(t);
    admin = await t.actors.admin();
    former = await t.actors.admin();
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [former.user.id]);
  });
  afterAll(() => t.close());

  const audit = (action: string) =>
    t.database.query(
      `SELECT actor_id AS "by", tenant_id AS "tenantId", target_type AS type, target_id AS id FROM audit_log
        WHERE action = $1`,
      [action],
    );

  describe('of one tenant', () => {
    const sync = (tenantId: string, by: Bearer = admin) => t.api.post(`/admin/tenants/${tenantId}/sync`).set(by.bearer);
    const asked = () => t.processor.calls.get('GET /v1/subscriptions') ?? 0;
    let owner: Member;
    beforeAll(async () => {
      owner = await t.actors.owner();
      const { checkoutUrl } = (
        await t.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Pro' }).expect(200)
      ).body.data;
      await t.processor.customerActions.pay(checkoutUrl as string);
    });

    it('applies changes that no webhook event announced, returns them and is recorded', async () => {
      t.clock.advance(10);
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Free' });
      const { data } = (await sync(owner.tenantId).expect(200)).body;
      expect(data).toMatchObject({ tenantId: owner.tenantId, plan: 'Pro', status: 'Trialing' });
      expect(await billing.subscription(owner)).toEqual(data);
      const shown = (await t.api.get(`/admin/tenants/${owner.tenantId}`).set(admin.bearer).expect(200)).body.data;
      const { currentPeriodEnd, cancelAtPeriodEnd, trialEndsAt, updatedAt } = data;
      expect(shown).toMatchObject({
        currentPeriodEnd,
        cancelAtPeriodEnd,
        trialEndsAt,
        subscriptionUpdatedAt: updatedAt,
      });
      expect(trialEndsAt).toMatch(/Z$/);
      expect(await audit('subscription.synced')).toEqual([
        { by: admin.user.id, tenantId: owner.tenantId, type: 'subscription', id: owner.tenantId },
      ]);
    });

    it('asks Stripe at most once in 5 seconds', async () => {
      t.clock.advance(10);
      const before = asked();
      await Promise.all([sync(owner.tenantId).expect(200), sync(owner.tenantId).expect(200)]);
      await t.api.post('/billing/sync').set(owner.bearer).expect(200);
      expect(asked() - before).toBe(1);
      t.clock.advance(5);
      await sync(owner.tenantId).expect(200);
      expect(asked() - before).toBe(2);
    });

    it('reports Free for a tenant that was never a Stripe customer', async () => {
      const newcomer = await t.actors.owner();
      expect((await sync(newcomer.tenantId).expect(200)).body.data).toMatchObject({
        plan: 'Free',
        status: 'Active',
        processorCustomerId: null,
      });
    });

    it('is refused for an unknown tenant, and if the admin flag was revoked after the token was issued', async () => {
      const before = await audit('subscription.synced');
      expect(codeOf(await sync(newId()).expect(404))).toBe('NOT_FOUND');
      expect(codeOf(await sync('x').expect(400))).toBe('VALIDATION_ERROR');
      expect(codeOf(await sync(owner.tenantId, former).expect(403))).toBe('FORBIDDEN');
      expect(await audit('subscription.synced')).toEqual(before);
    });

    it('responds with BILLING_UNAVAILABLE while Stripe is unreachable, and records nothing', async () => {
      const before = await audit('subscription.synced');
      t.clock.advance(10);
      await t.processor.stop();
      expect(codeOf(await sync(owner.tenantId).expect(503))).toBe('BILLING_UNAVAILABLE');
      await t.processor.start();
      expect(await audit('subscription.synced')).toEqual(before);
      await sync(owner.tenantId).expect(200); // at once, because Stripe was not asked
    });
  });

  describe('of all tenants', () => {
    const begin = (by: Bearer = admin) => t.api.post('/admin/sync').set(by.bearer);
    const runs = () =>
      t.database.query<{ id: string; isFinished: boolean }>(
        'SELECT id, finished_at IS NOT NULL AS "isFinished" FROM sync_runs ORDER BY id',
      );
    const JOB = `UPDATE graphile_worker._private_jobs SET`;
    afterEach(() => t.database.query('DELETE FROM graphile_worker._private_jobs; DELETE FROM sync_runs'));

    it('starts one run at a time, which a worker finishes', async () => {
      await t.database.query(
        `UPDATE subscriptions SET status = 'PastDue', as_of = NULL WHERE processor_subscription_id IS NOT NULL`,
      );
      expect((await begin().expect(200)).body).toEqual({ success: true, data: null });
      const [run] = await runs();
      expect(await audit('sync.begun')).toEqual([{ by: admin.user.id, tenantId: null, type: 'sync-run', id: run.id }]);
      expect(codeOf(await begin().expect(409))).toBe('CONFLICT');
      t.clock.advance(10);
      const worker = await TestApp.start({ beside: t, processor: true });
      await eventually(
        async () => (await runs()).every(({ isFinished }) => isFinished) || undefined,
        'the end of the run',
      );
      await billing.untilJobsAreDone('sync-subscriptions');
      expect(await runs()).toEqual([{ id: run.id, isFinished: true }]);
      const { lastSync } = (await t.api.get('/admin/overview').set(admin.bearer).expect(200)).body.data;
      expect(lastSync).toMatchObject({ seen: 1, corrected: 1, unknown: 0 });
      await worker.close();
      await begin().expect(200); // after the run, the next one may start
      expect(await runs()).toHaveLength(2);
    });

    it('starts one run under concurrent requests', async () => {
      const other = await t.actors.admin();
      const responses = await Promise.all([begin(), begin(other), begin(), begin(other)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      expect(await runs()).toHaveLength(1);
    });

    it('is refused while a run is in progress, and resumes one that failed, died or lost its job', async () => {
      await begin().expect(200);
      const [{ id }] = await runs();
      await t.database.query(`${JOB} locked_at = now(), locked_by = 'worker', attempts = 1`);
      expect(codeOf(await begin().expect(409))).toBe('CONFLICT');
      for (const died of [
        // to be retried in an hour
        `${JOB} locked_at = NULL, locked_by = NULL, attempts = 3, run_at = now() + interval '1 hour'`,
        `${JOB} attempts = max_attempts`, // out of attempts
        'DELETE FROM graphile_worker._private_jobs', // deleted by an operator
      ]) {
        await t.database.query(died);
        await begin().expect(200);
        expect(await runs()).toEqual([{ id, isFinished: false }]);
        const [job] = await t.database.query(
          'SELECT attempts, run_at <= now() AS "isDue" FROM graphile_worker._private_jobs WHERE key IS NOT NULL',
        );
        expect(job).toEqual({ attempts: 0, isDue: true });
      }
    });

    it('resumes a scheduled run whose start time is in the future', async () => {
      await t.database.query(
        `INSERT INTO sync_runs (id, slot, started_at, cursor) VALUES ($1, now() + interval '2 hours', now(), 'sub_1')`,
        [newId()],
      );
      const before = await runs();
      await begin().expect(200);
      expect(await runs()).toEqual(before);
    });

    it('is refused if the admin flag was revoked after the token was issued, and without Stripe', async () => {
      expect(codeOf(await begin(former).expect(403))).toBe('FORBIDDEN');
      const without = await TestApp.start({ beside: t, env: { WORKER: 'off' } });
      const owner = await t.actors.owner();
      for (const path of ['/admin/sync', `/admin/tenants/${owner.tenantId}/sync`]) {
        expect(codeOf(await without.api.post(path).set(admin.bearer).expect(503))).toBe('BILLING_UNAVAILABLE');
      }
      await without.close();
      expect(await runs()).toEqual([]);
    });
  });
});
