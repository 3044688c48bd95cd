import { PLANS, SUBSCRIPTION_STATUSES } from '../../../src/billing/billing.api';
import { entitlementsOf, type EntitlementGrant } from '../../../src/billing/entitlements/domain/entitlements';
import { Subscription } from '../../../src/billing/subscriptions/domain/subscription';
import { firstIdAt, newId } from '../../../src/platform/ids';
import type { SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Entitlements } from '../../support/entitlement-overrides';

const DAY = 86_400;

/** What an operator may have given; null: nothing. */
const GRANTS: readonly (EntitlementGrant | null)[] = [
  null,
  { plan: 'Pro', entitlements: {} },
  { plan: 'Business', entitlements: {} },
  { plan: null, entitlements: { auditExport: true } },
  { plan: null, entitlements: { projects: 1 } },
  { plan: 'Business', entitlements: { auditExport: false } },
];

interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly overrideEndsAt: string | null;
}

describe('tenants by entitlement for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  let entitlements: Entitlements;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
    entitlements = new Entitlements(t);
  });
  afterAll(() => t.close());
  afterEach(() => t.database.query('DELETE FROM entitlement_overrides; DELETE FROM subscriptions'));

  const get = (query: object) => t.api.get('/admin/tenants').query(query).set(admin.bearer);
  const list = async (query: object): Promise<{ items: Tenant[]; nextCursor: string | null }> =>
    (await get(query).expect(200)).body.data;
  const pagesOf = async (query: object, limit: number) => {
    const found: Tenant[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await list({ ...query, limit, cursor });
      found.push(...items);
      cursor = nextCursor ?? undefined;
    } while (cursor);
    return found;
  };
  const names = async (query: object) => (await list({ limit: 100, ...query })).items.map(({ name }) => name);
  const inDays = (days: number) => new Date(t.clock.now().getTime() + days * DAY * 1000);
  const exporting = (query: object = {}) => names({ entitlement: 'auditExport', ...query });

  const tenant = async (tenantName: string, plan = 'Free', status = 'Active') => {
    const owner = await t.actors.owner({ tenantName });
    await t.database.query(
      `INSERT INTO subscriptions (tenant_id, plan, status, updated_at) VALUES ($1, $2, $3, now())`,
      [owner.tenantId, plan, status],
    );
    return owner;
  };
  const give = (tenantId: string, plan: string | null, values: object, endsAt: Date) =>
    t.database.query(
      `INSERT INTO entitlement_overrides (tenant_id, plan, entitlements, ends_at, reason, created_at, updated_at)
        VALUES ($1, $2, $3, $4, 'Pilot', now(), now())`,
      [tenantId, plan, JSON.stringify(values), endsAt],
    );

  it('are those that have a feature by their plan or by an override, until it ends', async () => {
    await tenant('By plan', 'Business');
    await tenant('Without', 'Pro');
    const [given, single, taken] = [
      await tenant('Given plan'),
      await tenant('Given feature', 'Pro'),
      await tenant('Taken', 'Business'),
    ];
    await t.actors.owner({ tenantName: 'Never subscribed' });
    expect(await exporting()).toEqual(['Taken', 'By plan']);
    const endsAt = inDays(3).toISOString();
    await entitlements.override(given, { plan: 'Business', endsAt });
    await entitlements.override(single, { entitlements: { auditExport: true }, endsAt });
    await entitlements.override(taken, { entitlements: { auditExport: false }, endsAt });
    expect(await exporting()).toEqual(['Given feature', 'Given plan', 'By plan']);
    expect((await list({ override: true })).items).toMatchObject(
      ['Taken', 'Given feature', 'Given plan'].map((name) => ({ name, overrideEndsAt: endsAt })),
    );
    expect(await names({ override: false })).toEqual(['Never subscribed', 'Without', 'By plan']);
    expect(await exporting({ override: true })).toEqual(['Given feature', 'Given plan']);
    expect(await exporting({ override: false })).toEqual(['By plan']);
    const shown = (await t.api.get(`/admin/tenants/${given.tenantId}`).set(admin.bearer).expect(200)).body.data;
    expect(shown).toMatchObject({ plan: 'Free', overrideEndsAt: endsAt });
    await t.database.query('UPDATE entitlement_overrides SET ends_at = $1', [t.clock.now()]);
    expect(await exporting()).toEqual(['Taken', 'By plan']);
    expect(await names({ override: true })).toEqual([]);
    expect((await list({ search: 'Given' })).items.map(({ overrideEndsAt }) => overrideEndsAt)).toEqual([null, null]);
  });

  it('are what the entitlements of each tenant say, whatever its plan, status and override are', async () => {
    const states = [...SUBSCRIPTION_STATUSES.map((status) => ({ status, processorStatus: 'active' }))];
    const rows = PLANS.flatMap((plan) =>
      [...states, { status: 'PastDue' as const, processorStatus: 'incomplete' }].flatMap((state) =>
        GRANTS.flatMap((grant) =>
          [1, -1].map((days) => ({ id: newId(), plan, ...state, grant, endsAt: inDays(days) })),
        ),
      ),
    );
    const stored = rows.map(({ grant, ...row }) => ({
      ...row,
      hasGrant: grant !== null,
      given: grant?.plan,
      entitlements: grant?.entitlements,
    }));
    await t.database.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       CREATE TEMP TABLE cases ON COMMIT DROP AS SELECT *
         FROM jsonb_to_recordset('${JSON.stringify(stored)}') c (id uuid, plan text, status text,
         "processorStatus" text, "hasGrant" boolean, given text, entitlements jsonb, "endsAt" timestamptz);
       INSERT INTO tenants (id, name, created_at, name_key) SELECT id, 'Case', now(), 'case' FROM cases;
       INSERT INTO memberships SELECT id, '${admin.user.id}', id, id, true, now() FROM cases;
       INSERT INTO subscriptions (tenant_id, plan, status, processor_status, updated_at)
         SELECT id, plan, status, "processorStatus", now() FROM cases;
       INSERT INTO entitlement_overrides (tenant_id, plan, entitlements, ends_at, reason, created_at, updated_at)
         SELECT id, given, entitlements, "endsAt", 'Pilot', now(), now() FROM cases WHERE "hasGrant";
       COMMIT`,
    );
    const now = t.clock.now();
    const expected = rows.filter(({ id, plan, status, processorStatus, grant, endsAt }) => {
      const { planInForce } = Object.assign(Subscription.free(id, now), { plan, status, processorStatus });
      return entitlementsOf(planInForce, grant && endsAt > now ? grant : undefined).features.includes('auditExport');
    });
    const found = await pagesOf({ entitlement: 'auditExport' }, 50);
    expect(found.map(({ id }) => id)).toEqual(
      expected
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    expect([rows.length, expected.length]).toEqual([216, 63]);
    await t.database.query(`DELETE FROM tenants WHERE name = 'Case'`);
  });

  it('are combined with the other filters and the search, and refused for an unknown feature', async () => {
    await tenant('Alder', 'Business', 'Active');
    await tenant('Ash', 'Business', 'PastDue');
    const { tenantId } = await tenant('Aspen');
    await give(tenantId, 'Business', {}, inDays(1));
    expect(await exporting({ status: 'Active' })).toEqual(['Aspen', 'Alder']);
    expect(await exporting({ plan: 'Free' })).toEqual(['Aspen']);
    expect(await exporting({ plan: 'Free', override: false })).toEqual([]);
    expect(await exporting({ search: 'as' })).toEqual(['Aspen', 'Ash']);
    expect(await exporting({ search: 'as', override: true })).toEqual(['Aspen']);
    expect(await exporting({ search: tenantId })).toEqual(['Aspen']);
    expect((await get({ entitlement: 'sso', override: 'maybe' }).expect(400)).body.error.details).toEqual({
      entitlement: ['must be one of auditExport, auditStreaming'],
      override: ['must be true or false'],
    });
  });

  it('are exported with the same filters, and with the end of the override', async () => {
    const { tenantId } = await tenant('Exported');
    await tenant('Left out', 'Business');
    const endsAt = inDays(2);
    await give(tenantId, null, { auditExport: true }, endsAt);
    const { text } = await t.api
      .get('/admin/tenants/export')
      .query({ entitlement: 'auditExport', override: true })
      .set(admin.bearer)
      .expect(200);
    const [columns, row, ...more] = text.trimEnd().split('\r\n');
    expect(more).toEqual([]);
    expect(row.split(',')[columns.split(',').indexOf('overrideEndsAt')]).toBe(endsAt.toISOString());
    expect(row).toContain('Exported');
  });

  it('are listed page by page, each once, also rare ones among many', async () => {
    // older than all others
    const id = `('${firstIdAt(new Date(86_400_000)).slice(0, 24)}' || lpad(to_hex(i), 12, '0'))::uuid`;
    await t.database.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       INSERT INTO tenants (id, name, created_at, name_key) SELECT ${id}, 'Crowd ' || i, now(), 'crowd ' || i
         FROM generate_series(1, 10000) i;
       INSERT INTO memberships SELECT id, '${admin.user.id}', id, id, true, now() FROM tenants
         WHERE name LIKE 'Crowd %';
       INSERT INTO subscriptions (tenant_id, plan, status, updated_at)
         SELECT ${id}, CASE i % 2500 WHEN 7 THEN 'Business' ELSE 'Pro' END, 'Active', now()
           FROM generate_series(1, 10000) i;
       INSERT INTO entitlement_overrides (tenant_id, plan, entitlements, ends_at, reason, created_at, updated_at)
         SELECT ${id}, 'Business', '{}', now() + interval '1 day' * CASE i % 5000 WHEN 8 THEN 2 ELSE -2 END,
                'Pilot', now(), now()
           FROM generate_series(1, 10000) i WHERE i % 2500 IN (8, 9);
       COMMIT; ANALYZE`,
    );
    const rare = (...numbers: number[]) => numbers.map((number) => `Crowd ${number}`);
    const pages = async (query: object) => (await pagesOf(query, 2)).map(({ name }) => name);
    expect(await pages({ entitlement: 'auditExport' })).toEqual(rare(7507, 5008, 5007, 2507, 8, 7));
    expect(await pages({ override: true })).toEqual(rare(5008, 8));
    expect(await pages({ entitlement: 'auditExport', override: false })).toEqual(rare(7507, 5007, 2507, 7));
    expect(await pages({ entitlement: 'auditExport', plan: 'Pro' })).toEqual(rare(5008, 8));
  });
});
