import type { Bearer } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { Entitlements } from '../../support/entitlement-overrides';
import { subscriptionDeleted } from '../../support/stripe-events';

describe('the entitlements of a tenant', () => {
  let t: TestApp;
  let second: TestApp;
  let billing: Billing;
  let entitlements: Entitlements;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    second = await TestApp.start({ processor: true, beside: t });
    billing = new Billing(t);
    entitlements = new Entitlements(t);
  });
  afterAll(async () => {
    await second.close();
    await t.close();
  });

  const create = (by: Bearer, app = t) => app.api.post('/tenants/current/projects').set(by.bearer).send({ name: 'P' });
  /** Repeats a request that waited too long on a busy machine: 503 has no effect. */
  const take = async (by: Bearer, app: TestApp): Promise<number> => {
    const { status } = await create(by, app);
    return status === 503 ? take(by, app) : status;
  };
  const projects = async (by: Bearer) =>
    (await t.api.get('/tenants/current/projects?limit=100').set(by.bearer).expect(200)).body.data.items as object[];

  describe('as every member sees them', () => {
    it('have the limits and features of the plan, and what is used of them', async () => {
      const owner = await t.actors.owner();
      for (let i = 0; i < 2; i++) await create(owner).expect(200);
      const member = await t.actors.member(owner, ['tenant.projects.read']);
      await t.api
        .post('/tenants/current/invitations')
        .set(owner.bearer)
        .send({ email: 'guest@example.com' })
        .expect(200);
      const none = { limit: null, used: null, pending: null, isIncluded: true, source: 'Free' };
      expect(await entitlements.of(member)).toEqual({
        plan: 'Free',
        items: [
          { ...none, name: 'projects', limit: 3, used: 2 },
          { ...none, name: 'keys', limit: 5, used: 0 },
          { ...none, name: 'seats', limit: 10, used: 2, pending: 1 },
          { ...none, name: 'invitationsPerDay', limit: 20, used: 1 },
          { ...none, name: 'auditRetentionDays', limit: 30 },
          { ...none, name: 'auditExport', isIncluded: false },
          { ...none, name: 'auditStreaming', isIncluded: false },
        ],
        override: null,
      });
    });

    it('do not count invitations that have expired, or the emails of an earlier day', async () => {
      const owner = await t.actors.owner();
      await t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email: 'b@example.com' }).expect(200);
      t.clock.advance(8 * 86_400);
      const again = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
      expect(await entitlements.named(again, 'seats')).toMatchObject({ used: 1, pending: 0 });
      expect(await entitlements.named(again, 'invitationsPerDay')).toMatchObject({ used: 0 });
    });

    it('are those of the plan in force, and of no tenant 404', async () => {
      const { owner, subscriber } = await billing.subscribed();
      expect(await entitlements.of(owner)).toMatchObject({ plan: 'Pro' });
      await billing.take(subscriptionDeleted(subscriber, new Date(1_760_000_000_000)));
      expect(await entitlements.of(owner)).toMatchObject({ plan: 'Free' });
      await t.api
        .get('/tenants/current/entitlements')
        .set((await t.actors.signedInUser()).bearer)
        .expect(404);
      await t.api.get('/tenants/current/entitlements').expect(401);
    });
  });

  describe('that are limits', () => {
    it('let exactly 3 of 1,000 requests through at a limit of 3, 25 at a time on two instances', async () => {
      const owner = await t.actors.owner();
      const counts: Record<number, number> = {};
      for (let batch = 0; batch < 40; batch++) {
        const requests = Array.from({ length: 25 }, (_, i) => take(owner, i % 2 ? t : second));
        for (const status of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
      }
      expect(counts).toEqual({ 200: 3, 402: 997 });
      expect(await projects(owner)).toHaveLength(3);
    });

    it('are refused with the plans that have more', async () => {
      const owner = await t.actors.owner();
      for (let i = 0; i < 3; i++) await create(owner).expect(200);
      expect((await create(owner).expect(402)).body.error).toEqual({
        code: 'PLAN_REQUIRED',
        message: 'Your plan includes 3 projects. Upgrade to create more.',
        details: { entitlement: ['projects'], limit: ['3'], used: ['3'], requiredPlan: ['Pro', 'Business'] },
      });
    });

    it('keep what exceeds the limit after a downgrade readable, and allow more once it is below it', async () => {
      const { owner, subscriber } = await billing.subscribed();
      for (let i = 0; i < 5; i++) await create(owner).expect(200);
      await billing.take(subscriptionDeleted(subscriber, new Date(1_760_000_000_000)));
      expect(await projects(owner)).toHaveLength(5);
      expect(await entitlements.named(owner, 'projects')).toMatchObject({ limit: 3, used: 5 });
      expect((await create(owner).expect(402)).body.error.details).toMatchObject({ limit: ['3'], used: ['5'] });
      for (const { id } of (await projects(owner)).slice(0, 3) as { id: string }[])
        await t.api.delete(`/tenants/current/projects/${id}`).set(owner.bearer).expect(200);
      await create(owner).expect(200);
    });
  });
});
