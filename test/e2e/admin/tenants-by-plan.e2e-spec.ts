import {
  planCondition,
  PLANS,
  SUBSCRIPTION_STATUSES,
  type Plan,
  type SubscriptionStatus,
} from '../../../src/billing/billing.api';
import { Database } from '../../../src/platform/database/database';
import { firstIdAt } from '../../../src/platform/ids';
import { EVERY_TENANT } from '../../../src/platform/database/tenant-scope';
import { type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';

interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
}

describe('tenants by plan and status for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
    await t.actors.owner({ tenantName: 'Acme' });
    await subscribed('Acorn', 'Free', 'Active');
    await subscribed('Acacia', 'Pro', 'Active');
    await subscribed('Birch', 'Pro', 'PastDue');
    await subscribed('Beech', 'Business', 'PastDue');
    await subscribed('Cedar', 'Free', 'Canceled');
  });
  afterAll(() => t.close());

  const subscribed = async (tenantName: string, plan: Plan, status: SubscriptionStatus) => {
    const { tenantId } = await t.actors.owner({ tenantName });
    await t.database.query(
      `INSERT INTO subscriptions (tenant_id, plan, status, updated_at) VALUES ($1, $2, $3, now())`,
      [tenantId, plan, status],
    );
  };
  const get = (query: object) => t.api.get('/admin/tenants').query(query).set(admin.bearer);
  const list = async (query: object): Promise<{ items: Tenant[]; nextCursor: string | null }> =>
    (await get(query).expect(200)).body.data;
  const names = async (query: object) => (await list(query)).items.map(({ name }) => name);
  const pagesOf = async (query: object) => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await list({ ...query, limit: 2, cursor });
      found.push(...items.map(({ name }) => name));
      cursor = nextCursor ?? undefined;
    } while (cursor);
    return found;
  };

  it('are listed newest first; tenants that never subscribed are Free and Active', async () => {
    expect(await names({ plan: 'Free', status: 'Active' })).toEqual(['Acorn', 'Acme']);
    expect(await names({ status: 'PastDue' })).toEqual(['Beech', 'Birch']);
    const all = (await list({ limit: 100 })).items;
    for (const plan of [undefined, ...PLANS]) {
      for (const status of [undefined, ...SUBSCRIPTION_STATUSES]) {
        const shown = all.filter(
          (tenant) => (plan ?? tenant.plan) === tenant.plan && (status ?? tenant.status) === tenant.status,
        );
        expect((await list({ plan, status })).items).toEqual(shown);
      }
    }
    expect((await get({ plan: 'Gold', status: 'Lost' }).expect(400)).body.error.details).toEqual({
      plan: ['must be one of Free, Pro, Business'],
      status: [`must be one of ${SUBSCRIPTION_STATUSES.join(', ')}`],
    });
  });

  it('can be searched by name and by id', async () => {
    expect(await names({ plan: 'Free', status: 'Active', search: 'acm' })).toEqual(['Acme']);
    expect(await names({ plan: 'Pro', search: 'ac' })).toEqual(['Acacia']);
    expect(await names({ status: 'PastDue', search: 'ac' })).toEqual([]);
    const [beech] = (await list({ plan: 'Business' })).items;
    expect(await names({ plan: 'Business', search: beech.id })).toEqual(['Beech']);
    expect(await names({ plan: 'Pro', search: beech.id })).toEqual([]);
  });

  it('are listed page by page, each once, also rare ones among many, by an index', async () => {
    // older than all others
    const id = `('${firstIdAt(new Date(86_400_000)).slice(0, 24)}' || lpad(to_hex(i), 12, '0'))::uuid`;
    const rare = (pro: string, other: string, free: string) =>
      `CASE i % 2500 WHEN 7 THEN '${other}' WHEN 8 THEN '${free}' ELSE '${pro}' END`;
    await t.database.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       INSERT INTO tenants (id, name, created_at, name_key) SELECT ${id}, 'Crowd ' || i, now(), 'crowd ' || i
         FROM generate_series(1, 10000) i;
       INSERT INTO memberships SELECT id, '${admin.user.id}', id, id, true, now() FROM tenants
         WHERE name LIKE 'Crowd %';
       INSERT INTO tenant_search_terms SELECT id, search_terms_of(name_key) FROM tenants WHERE name LIKE 'Crowd %';
       INSERT INTO subscriptions (tenant_id, plan, status, updated_at)
         SELECT ${id}, ${rare('Pro', 'Business', 'Free')}, ${rare('Active', 'PastDue', 'Active')}, now()
           FROM generate_series(1, 10000) i WHERE i % 5000 <> 8;
       COMMIT; ANALYZE tenants; ANALYZE subscriptions`,
    );
    expect(await pagesOf({ plan: 'Business', status: 'PastDue' })).toEqual([
      'Beech',
      'Crowd 7507',
      'Crowd 5007',
      'Crowd 2507',
      'Crowd 7',
    ]);
    expect(await pagesOf({ plan: 'Free', status: 'Active' })).toEqual([
      'Acorn',
      'Acme',
      'Crowd 7508',
      'Crowd 5008',
      'Crowd 2508',
      'Crowd 8',
    ]);
    expect(await names({ plan: 'Free', search: 'crowd 5' })).toEqual(['Crowd 5008']);
    const { sql, parameters } = planCondition({ plan: 'Business', status: 'PastDue' }, 1);
    const plan = await t.nest
      .get(Database)
      .readInTenant(EVERY_TENANT, `EXPLAIN SELECT id FROM tenants r WHERE ${sql}`, parameters);
    expect(JSON.stringify(plan)).toContain('subscriptions_plan_status_tenant_id_idx');
  });
});
