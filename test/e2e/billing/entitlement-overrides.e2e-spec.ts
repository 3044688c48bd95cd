import { Controller, Get } from '@nestjs/common';
import { SignedIn } from '../../../src/http/access/access.decorators';
import { RequireEntitlement } from '../../../src/billing/entitlements/http/require-entitlement.guard';
import { RequirePlan } from '../../../src/billing/entitlements/http/require-plan.guard';
import { TenantPlanRepository } from '../../../src/billing/entitlements/data/tenant-plan.repository';
import { PlanCache } from '../../../src/billing/entitlements/services/plan-cache';
import { Responds } from '../../../src/http/openapi/openapi-responses.decorator';
import type { Bearer, Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { Entitlements } from '../../support/entitlement-overrides';
import { codeOf } from '../../support/error-code';
import { subscriptionDeleted, subscriptionUpdated } from '../../support/stripe-events';

@Controller('gated-feature')
class GatedController {
  @Get('export')
  @SignedIn()
  @RequireEntitlement('auditExport')
  @Responds({ summary: 'For tenants with the export', data: null })
  export() {
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

const DAY = 86_400;

describe('an override of entitlements', () => {
  let t: TestApp;
  let billing: Billing;
  let entitlements: Entitlements;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true, controllers: [GatedController] });
    billing = new Billing(t);
    entitlements = new Entitlements(t);
  });
  afterAll(() => t.close());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const gate = (by: Bearer, path = 'export') => t.api.get(`/gated-feature/${path}`).set(by.bearer);
  const end = async ({ tenantId }: Member) =>
    t.api.delete(`/admin/tenants/${tenantId}/entitlements`).set((await entitlements.operator()).bearer);
  const later = async (owner: Member, seconds: number): Promise<Member> => {
    t.clock.advance(seconds);
    return { ...owner, ...(await t.actors.signIn(owner.user.email)) };
  };

  it('gives a plan at once, with its limits and routes, and takes it when it is removed', async () => {
    const owner = await t.actors.owner();
    await gate(owner).expect(402);
    await entitlements.override(owner, { plan: 'Business' });
    for (const path of ['export', 'business']) await gate(owner, path).expect(200);
    expect(await entitlements.of(owner)).toMatchObject({
      plan: 'Business',
      override: { plan: 'Business', entitlements: {} },
    });
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Free' });
    expect((await end(owner)).status).toBe(200);
    for (const path of ['export', 'business']) await gate(owner, path).expect(402);
    expect(await entitlements.of(owner)).toMatchObject({ plan: 'Free', override: null });
    expect((await end(owner)).status).toBe(404);
  });

  it('is given and removed although the database does not respond after the commit', async () => {
    const owner = await t.actors.owner();
    const cache = t.nest.get(PlanCache, { strict: false });
    const planInForce = async () => (await cache.get(owner.tenantId)).planInForce;
    expect(await planInForce()).toBe('Free');
    const failOnce = () =>
      jest.spyOn(t.nest.get(TenantPlanRepository, { strict: false }), 'find').mockRejectedValueOnce(new Error('slow'));
    failOnce();
    await entitlements.override(owner, { plan: 'Business' });
    expect(await planInForce()).toBe('Business');
    failOnce();
    expect((await end(owner)).status).toBe(200);
    expect(await planInForce()).toBe('Free');
    expect(t.logLines.filter((line) => line.includes('plan_cache.not_refreshed'))).toHaveLength(2);
  });

  it('gives single entitlements beside the plan, replaces the one before, and says until when', async () => {
    const owner = await t.actors.owner();
    await entitlements.override(owner, { plan: 'Pro' });
    const endsAt = new Date(t.clock.now().getTime() + 3 * DAY * 1000).toISOString();
    await entitlements.override(owner, { entitlements: { projects: 1, auditExport: true }, endsAt });
    const { plan, items, override } = await entitlements.of(owner);
    expect({ plan, override }).toEqual({
      plan: 'Free',
      override: { plan: null, entitlements: { projects: 1, auditExport: true }, endsAt },
    });
    expect(items.filter(({ source }) => source === 'Override').map(({ name }) => name)).toEqual([
      'projects',
      'auditExport',
    ]);
    await gate(owner).expect(200);
    expect((await gate(owner, 'business').expect(402)).body.error.details).toEqual({ requiredPlan: ['Business'] });
    const create = () => t.api.post('/tenants/current/projects').set(owner.bearer).send({ name: 'P' });
    await create().expect(200);
    await create().expect(402);
  });

  it('ends by itself, although the cache remembers it', async () => {
    const owner = await t.actors.owner();
    const endsAt = new Date(t.clock.now().getTime() + 60_000).toISOString();
    await entitlements.override(owner, { plan: 'Business', endsAt });
    const read = jest.spyOn(t.nest.get(PlanCache), 'reload');
    await gate(await later(owner, 50)).expect(200);
    expect(read).not.toHaveBeenCalled();
    expect(codeOf(await gate(await later(owner, 15)).expect(402))).toBe('PLAN_REQUIRED');
    expect(await entitlements.of(owner)).toMatchObject({ plan: 'Free', override: null });
  });

  it('survives events and the sync of the subscription', async () => {
    const { owner, subscriber } = await billing.subscribed();
    await entitlements.override(owner, { plan: 'Business' });
    await billing.take(subscriptionUpdated(subscriber, { status: 'past_due' }, new Date(1_760_000_000_000)));
    await gate(owner).expect(200);
    await billing.take(subscriptionDeleted(subscriber, new Date(1_760_000_010_000)));
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    await gate(owner).expect(200);
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Canceled' });
  });

  it('is not forgotten by a subscription that is cached after it, nor the reverse', async () => {
    const { owner, subscriber } = await billing.subscribed();
    await gate(owner).expect(402);
    await entitlements.override(owner, { entitlements: { auditExport: true } });
    const read = jest.spyOn(t.nest.get(PlanCache), 'reload');
    await billing.take(subscriptionUpdated(subscriber, { periodEnd: 1_950_000_000 }, new Date(1_760_000_000_000)));
    await gate(owner).expect(200);
    expect(read).not.toHaveBeenCalled();
  });

  it('is given by operators only, to tenants that exist, with an end and a reason', async () => {
    const owner = await t.actors.owner();
    const path = `/admin/tenants/${owner.tenantId}/entitlements`;
    await t.api
      .put(path)
      .set(owner.bearer)
      .send({ plan: 'Pro', endsAt: '2030-01-01T00:00:00Z', reason: 'R' })
      .expect(403);
    await t.api.delete(path).set(owner.bearer).expect(403);
    await t.api.get(path).set(owner.bearer).expect(403);
    const nobody = { tenantId: '00000000-0000-7000-8000-00000000dead' };
    expect((await entitlements.request(nobody, { plan: 'Pro' })).status).toBe(404);
    for (const [body, field] of [
      [{}, 'entitlements'],
      [{ plan: 'Gold' }, 'plan'],
      [{ plan: 'Free' }, 'entitlements'],
      [{ plan: 'Pro', endsAt: '2020-01-01T00:00:00Z' }, 'endsAt'],
      [{ plan: 'Pro', endsAt: undefined }, 'endsAt'],
      [{ plan: 'Pro', reason: ' ' }, 'reason'],
      [{ entitlements: { projects: -1 } }, 'entitlements.projects'],
      [{ entitlements: { invitationsPerDay: null } }, 'entitlements.invitationsPerDay'],
      [{ entitlements: { auditExport: 'yes' } }, 'entitlements.auditExport'],
      [{ entitlements: 'all' }, 'entitlements'],
    ] as const) {
      const { status, body: answer } = await entitlements.request(owner, body);
      expect([body, status, Object.keys((answer as { error: { details: object } }).error.details)]).toEqual([
        body,
        400,
        [field],
      ]);
    }
    expect(await entitlements.of(owner)).toMatchObject({ override: null });
  });

  it('is in the audit log, and operators see who gave it and why', async () => {
    const owner = await t.actors.owner();
    const { user, bearer } = await entitlements.operator();
    await entitlements.override(owner, { plan: 'Pro', reason: 'Contract is being signed' });
    const seen = async () =>
      (await t.api.get(`/admin/tenants/${owner.tenantId}/entitlements`).set(bearer).expect(200)).body.data as object;
    expect(await seen()).toMatchObject({
      plan: 'Pro',
      override: { plan: 'Pro', entitlements: {}, reason: 'Contract is being signed', createdBy: user.id },
    });
    await end(owner);
    expect(await seen()).toMatchObject({ plan: 'Free', override: null });
    const { items } = (await t.api.get(`/admin/audit-log?target=${owner.tenantId}`).set(bearer).expect(200)).body.data;
    const recorded = (items as { action: string; actorId: string; data: { reason?: string } }[])
      .filter(({ action }) => action.startsWith('entitlements.'))
      .map(({ action, actorId, data }) => [action, actorId, data.reason]);
    expect(recorded).toEqual([
      ['entitlements.override-ended', user.id, 'Contract is being signed'],
      ['entitlements.overridden', user.id, 'Contract is being signed'],
    ]);
  });

  it('of two operators at once is one of the two', async () => {
    const owner = await t.actors.owner();
    const answers = await Promise.all(
      [4, 5, 6, 7, 8, 9].map((projects) => entitlements.request(owner, { entitlements: { projects } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    const { limit } = await entitlements.named(owner, 'projects');
    const rows = await t.database.query<{ entitlements: object }>(
      'SELECT entitlements FROM entitlement_overrides WHERE tenant_id = $1',
      [owner.tenantId],
    );
    expect(rows).toEqual([{ entitlements: { projects: limit } }]);
  });
});
