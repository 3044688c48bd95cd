import { Controller, Get } from '@nestjs/common';
import { SignedIn } from '../../../src/http/access/access.decorators';
import { PlanCache } from '../../../src/billing/entitlements/services/plan-cache';
import { RequirePlan } from '../../../src/billing/entitlements/http/require-plan.guard';
import { Responds } from '../../../src/http/openapi/openapi-responses.decorator';
import type { Bearer, Member } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { invoiceEvent, subscriptionDeleted, subscriptionUpdated } from '../../support/stripe-events';
import { redisServer, TestRedis } from '../../support/redis';

@Controller('gated')
class GatedController {
  @Get('paid')
  @SignedIn()
  @RequirePlan('Pro', 'Business')
  @Responds({ summary: 'For paying tenants', data: null })
  paid() {
    return null;
  }

  @Get('business')
  @SignedIn()
  @RequirePlan('Business')
  @Responds({ summary: 'For tenants on Business', data: null })
  business() {
    return null;
  }
}

const FIVE_MINUTES_MS = 300_000;

describe('the plan of a tenant', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true, controllers: [GatedController] });
    billing = new Billing(t);
  });
  afterAll(() => t.close());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  let second = 1_760_000_000;
  const next = () => new Date((second += 10) * 1000);
  const gate = (by: Bearer, path = 'paid') => t.api.get(`/gated/${path}`).set(by.bearer);
  const create = (by: Bearer, app = t) => app.api.post('/tenants/current/projects').set(by.bearer).send({ name: 'P' });
  /** Changes the database without the service, so that the cache is outdated. */
  const write = (owner: Member, plan: string, status = 'Active') =>
    t.database.query(
      `INSERT INTO subscriptions (tenant_id, plan, status, updated_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (tenant_id) DO UPDATE SET plan = $2, status = $3`,
      [owner.tenantId, plan, status],
    );

  describe('a route that requires a plan', () => {
    it('is 402 PLAN_REQUIRED on other plans and without an active tenant', async () => {
      const free = await t.actors.owner();
      const { owner: pro } = await billing.subscribed();
      const business = await t.actors.owner({ plan: 'Business' });
      for (const [by, paid, more] of [
        [free, 402, 402],
        [pro, 200, 402],
        [business, 200, 200],
        [await t.actors.signedInUser(), 402, 402],
      ] as const) {
        expect([(await gate(by)).status, (await gate(by, 'business')).status]).toEqual([paid, more]);
      }
      expect(codeOf(await gate(free).expect(402))).toBe('PLAN_REQUIRED');
      await t.api.get('/gated/paid').expect(401);
    });

    it('is open while Active, Trialing or PastDue; Canceled, Paused and never paid count as Free', async () => {
      const { owner, subscriber } = await billing.subscribed({ trial: true });
      await gate(owner).expect(200);
      await billing.take(invoiceEvent('payment_failed', subscriber, next()));
      await gate(owner).expect(200);
      await billing.take(subscriptionUpdated(subscriber, { status: 'paused' }, next()));
      await gate(owner).expect(402);
      await billing.take(subscriptionUpdated(subscriber, { status: 'active' }, next()));
      await gate(owner).expect(200);
      await billing.take(subscriptionUpdated(subscriber, { status: 'incomplete' }, next()));
      await gate(owner).expect(402);
      await billing.take(
        subscriptionUpdated(subscriber, { status: 'active' }, next()),
        subscriptionDeleted(subscriber, next()),
      );
      await gate(owner).expect(402);
    });
  });

  describe('the cached plan', () => {
    it('is valid for 5 minutes and then read again', async () => {
      const owner = await t.actors.owner({ plan: 'Pro' });
      const look = jest.spyOn(t.nest.get(PlanCache), 'reload');
      await gate(owner).expect(200);
      await gate(owner).expect(200);
      expect(look).toHaveBeenCalledTimes(1);
      await write(owner, 'Pro', 'Canceled');
      await gate(owner).expect(200); // remembered
      const now = Date.now();
      const later = jest.spyOn(Date, 'now').mockImplementation(() => now + FIVE_MINUTES_MS - 10_000);
      await gate(owner).expect(200); // still
      later.mockImplementation(() => now + FIVE_MINUTES_MS + 10_000);
      await gate(owner).expect(402);
    });

    it('is read from the database before a request is refused', async () => {
      const owner = await t.actors.owner();
      await gate(owner).expect(402);
      await write(owner, 'Pro');
      await gate(owner).expect(200);
      const other = await t.actors.owner();
      for (let i = 0; i < 3; i++) await create(other).expect(200);
      await create(other).expect(402);
      await write(other, 'Pro');
      await create(other).expect(200);
    });

    it('shows only plan and status without tenant.billing.read', async () => {
      const owner = await t.actors.owner({ plan: 'Pro' });
      const shownTo = async (subscriber: Bearer) =>
        (await t.api.get('/auth/me').set(subscriber.bearer).expect(200)).body.data.subscription as object;
      expect(await shownTo(await t.actors.member(owner))).toEqual({ plan: 'Pro', status: 'Active' });
      const full = { plan: 'Pro', status: 'Active', tenantId: owner.tenantId, processorCustomerId: null };
      expect(await shownTo(await t.actors.member(owner, ['tenant.billing.read']))).toMatchObject(full);
      expect(await shownTo(owner)).toMatchObject(full);
    });

    it('is that of the last write, even if the clock of its instance is behind', async () => {
      const { owner, subscriber } = await billing.subscribed();
      const shown = async () =>
        (await t.api.get('/auth/me').set(owner.bearer).expect(200)).body.data.subscription.status as string;
      t.clock.advance(30);
      await billing.take(subscriptionUpdated(subscriber, { status: 'past_due' }, next()));
      t.clock.advance(-30);
      await billing.take(subscriptionDeleted(subscriber, next()));
      expect(await shown()).toBe('Canceled');
    });

    it('is refreshed by every write: event, operator, sync', async () => {
      const { owner, subscriber } = await billing.subscribed();
      const shown = async () =>
        (await t.api.get('/auth/me').set(owner.bearer).expect(200)).body.data.subscription.status as string;
      expect(await shown()).toBe('Active');
      await billing.take(subscriptionUpdated(subscriber, { status: 'past_due' }, next()));
      expect(await shown()).toBe('PastDue');
      const admin = await t.actors.admin();
      await t.api
        .patch(`/admin/tenants/${owner.tenantId}/subscription`)
        .set(admin.bearer)
        .send({ status: 'Paused' })
        .expect(200);
      expect(await shown()).toBe('Paused');
    });
  });

  describe('the project limit', () => {
    it('is 3 on Free: the fourth is 402, also for concurrent requests, until one is deleted', async () => {
      const owner = await t.actors.owner();
      const statuses = (await Promise.all(Array.from({ length: 12 }, () => create(owner)))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(3);
      expect(statuses.filter((status) => status === 402)).toHaveLength(9);
      expect(codeOf(await create(owner).expect(402))).toBe('PLAN_REQUIRED');
      const { items } = (await t.api.get('/tenants/current/projects').set(owner.bearer).expect(200)).body.data;
      await t.api.delete(`/tenants/current/projects/${items[0].id}`).set(owner.bearer).expect(200);
      await create(owner).expect(200);
      await create(owner).expect(402);
    });

    it('does not exist on a paid plan; after cancellation, projects stay, and no more can be created', async () => {
      const { owner, subscriber } = await billing.subscribed();
      for (let i = 0; i < 5; i++) await create(owner).expect(200);
      await billing.take(subscriptionDeleted(subscriber, next()));
      await create(owner).expect(402);
      expect((await t.api.get('/tenants/current/projects').set(owner.bearer).expect(200)).body.data.items).toHaveLength(
        5,
      );
    });

    it('is counted per tenant', async () => {
      const [one, other] = [await t.actors.owner(), await t.actors.owner()];
      for (let i = 0; i < 3; i++) await create(one).expect(200);
      await create(other).expect(200);
    });
  });
});

// Skipped without an installed Redis; `.ci/run` installs one.
(redisServer ? describe : describe.skip)('the plan as several instances remember it', () => {
  let redis: TestRedis;
  let one: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    redis = await TestRedis.start();
    const env = { REDIS_URL: redis.url };
    one = await TestApp.start({ processor: true, env });
    other = await TestApp.start({ processor: true, env, beside: one });
  });
  afterAll(async () => {
    await other.close();
    await one.close();
    redis.stop();
  });

  it('is shared by all instances and refreshed by every write; without Redis, the database is read', async () => {
    const { owner, subscriber } = await new Billing(one).subscribed();
    const shown = async (app: TestApp) =>
      (await app.api.get('/auth/me').set(owner.bearer).expect(200)).body.data.subscription as object;
    await shown(one);
    const look = jest.spyOn(other.nest.get(PlanCache), 'reload');
    expect(await shown(other)).toMatchObject({ plan: 'Pro', status: 'Active', currentPeriodEnd: null });
    expect(look).not.toHaveBeenCalled(); // the first instance has put it there
    await new Billing(one).take(subscriptionUpdated(subscriber, { status: 'past_due', periodEnd: 1_900_000_000 }));
    expect(await shown(other)).toMatchObject({
      status: 'PastDue',
      currentPeriodEnd: new Date(1_900_000_000_000).toISOString(),
    });
    expect(look).not.toHaveBeenCalled();
    expect(await redis.keys()).toContain(`tenantry::subscription:${owner.tenantId}`);
    redis.hang();
    expect(await shown(other)).toMatchObject({ status: 'PastDue' }); // waits a little, and no more for the next seconds
    const start = performance.now();
    for (let i = 0; i < 5; i++) expect(await shown(other)).toMatchObject({ status: 'PastDue' });
    expect(performance.now() - start).toBeLessThan(1000);
    await redis.kill();
    expect(await shown(other)).toMatchObject({ status: 'PastDue' });
    expect(await shown(one)).toMatchObject({ status: 'PastDue' });
    expect(look.mock.calls.length).toBeGreaterThanOrEqual(7);
  });
});
