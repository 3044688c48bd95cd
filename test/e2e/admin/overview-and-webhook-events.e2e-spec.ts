import { Database } from '../../../src/platform/database/database';
import { newId } from '../../../src/platform/ids';
import { EVERY_TENANT } from '../../../src/platform/database/tenant-scope';
import { type SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

describe('the overview and the webhook events for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
  });
  afterAll(() => t.close());

  const overview = async () => (await t.api.get('/admin/overview').set(admin.bearer).expect(200)).body.data;
  const events = async (query: object = {}) =>
    (await t.api.get('/admin/webhook-events').query(query).set(admin.bearer).expect(200)).body.data;
  const event = async (status: string, { type = 'invoice.paid', tenant = null as string | null, lag = 0 } = {}) => {
    const id = newId();
    const sql = `INSERT INTO webhook_events VALUES ('${id}', 'evt_${id}', $2, $1, $3,
      now() - make_interval(secs => $4), now(), 1, NULL, '{"a": 1}')`;
    await t.database.query(sql, [status, type, tenant, lag]);
    return id;
  };

  it('start with zero counts', async () => {
    expect(await events()).toEqual({ items: [], nextCursor: null });
    expect(await overview()).toEqual({
      users: { total: 1, unverified: 0, disabled: 0 },
      tenants: [],
      jobs: { waiting: 0, running: 0, retrying: 0, dead: 0 },
      webhookEvents: { processed: 0, ignored: 0, failed: 0, 'needs-attention': 0 },
      lastSync: null,
      webhookLag: { events: 0, medianSeconds: null, p95Seconds: null, lastReceivedAt: null },
      security: {
        production: false,
        databaseRoles: 'two',
        bypassesRowLevelSecurity: false,
        https: false,
        secureCookies: false,
        trustedProxies: 'false',
        mailEncrypted: false,
        sharedLimits: false,
        adminSecondFactor: false,
        exceptions: [],
        warnings: expect.arrayContaining([expect.stringContaining('REDIS_URL')]),
      },
    });
  });

  it('count users, tenants, jobs and events', async () => {
    await t.actors.user({ isEmailVerified: false });
    await t.actors.user({ disabledAt: new Date() });
    const [free, pro] = [await t.actors.owner(), await t.actors.owner()];
    await t.database.query(
      `INSERT INTO subscriptions (tenant_id, plan, status, updated_at) VALUES ($1, 'Pro', 'PastDue', now())`,
      [pro.tenantId],
    );
    await t.api.post('/auth/magic-link/request').send({ email: free.user.email }).expect(200);
    for (const status of ['failed', 'failed', 'ignored']) await event(status);
    expect(await overview()).toMatchObject({
      users: { total: 5, unverified: 1, disabled: 1 },
      tenants: [
        { plan: 'Free', status: 'Active', tenants: 1 },
        { plan: 'Pro', status: 'PastDue', tenants: 1 },
      ],
      jobs: { waiting: 1 },
      webhookEvents: { processed: 0, ignored: 1, failed: 2 },
    });
  });

  it('list events by status, newest first, page by page', async () => {
    const failed = [
      await event('needs-attention'),
      await event('needs-attention'),
      await event('needs-attention'),
    ].reverse();
    const first = await events({ status: 'needs-attention', limit: 2 });
    const second = await events({ status: 'needs-attention', limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(failed);
    expect(second.items[0]).toMatchObject({
      eventId: `evt_${failed[2]}`,
      type: 'invoice.paid',
      tenantId: null,
      attempts: 1,
    });
    // a page of payloads could be 100 MB
    for (const item of [...first.items, ...second.items]) expect(item).not.toHaveProperty('payload');
    for (const query of [{ status: 'lost' }, { type: '' }, { type: 'a\u0000b' }, { tenant: 'x' }]) {
      expect(codeOf(await t.api.get('/admin/webhook-events').query(query).set(admin.bearer).expect(400))).toBe(
        'VALIDATION_ERROR',
      );
    }
  });

  it('filter events by a part of their type and by tenant, combined with AND', async () => {
    const [tenant, other] = [newId(), newId()];
    const [type, another] = ['customer.subscription.updated', 'customer.subscription.deleted'];
    const wanted = [
      await event('failed', { type, tenant }),
      await event('processed', { type, tenant }),
      await event('failed', { type: another, tenant }),
      await event('failed', { type, tenant: other }),
    ];
    const found = async (query: object) =>
      (await events(query)).items.map(({ id }: { id: string }) => wanted.indexOf(id));
    expect(await found({ type })).toEqual([3, 1, 0]);
    expect(await found({ tenant: tenant.toUpperCase() })).toEqual([2, 1, 0]);
    expect(await found({ tenant, type })).toEqual([1, 0]);
    expect(await found({ tenant, type, status: 'failed' })).toEqual([0]);
    expect(await found({ type: 'customer.subscription' })).toEqual([3, 2, 1, 0]);
    expect(await found({ type: 'Subscription.Deleted' })).toEqual([2]);
    expect(await found({ type: 'customer.subscription.deletedd' })).toEqual([]);
    const first = await events({ tenant, limit: 2 });
    expect((await events({ tenant, limit: 2, cursor: first.nextCursor })).items).toMatchObject([{ id: wanted[0] }]);
  });

  it('find events among many by an index', async () => {
    await t.database.query(
      `INSERT INTO webhook_events SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'evt_' || i,
        'crowd', 'processed', gen_random_uuid(),
              now(), now(), 1, NULL, '{}' FROM generate_series(1, 5000) i; ANALYZE webhook_events`,
    );
    const explain = (sql: string) => t.nest.get(Database).readInTenant(EVERY_TENANT, sql, []);
    for (const [column, value] of [
      ['type', 'rare'],
      ['tenant_id', newId()],
    ]) {
      const sql = `EXPLAIN SELECT * FROM webhook_events WHERE ${column} = '${value}' AND id < '${newId()}'
        ORDER BY id DESC LIMIT 21`;
      expect(JSON.stringify(await explain(sql))).toContain(`Index Scan Backward using webhook_events_${column}_id_idx`);
    }
    const several = `EXPLAIN SELECT * FROM webhook_events WHERE type = ANY('{rare,rarer}') ORDER BY id DESC LIMIT 21`;
    expect(JSON.stringify(await explain(several))).toContain('webhook_events_type_id_idx');
    await t.database.query(`DELETE FROM webhook_events WHERE type = 'crowd'`);
  });

  it('show an event with its payload, and respond with 404 to an unknown one', async () => {
    const id = await event('failed');
    const get = (which: string) => t.api.get(`/admin/webhook-events/${which}`).set(admin.bearer);
    expect((await get(id).expect(200)).body.data).toEqual({
      ...(await events({ limit: 1 })).items[0],
      payload: { a: 1 },
    });
    expect(codeOf(await get(newId()).expect(404))).toBe('NOT_FOUND');
    expect(codeOf(await get('x').expect(400))).toBe('VALIDATION_ERROR');
  });

  it('show the lag of the latest 1,000 events, never negative', async () => {
    await t.database.query('DELETE FROM webhook_events');
    await event('processed', { lag: 9999 }); // too old to be included
    let made = 0;
    const lags = async (count: number, lag: number) => {
      const sql = `INSERT INTO webhook_events SELECT ('ffffffff-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
        'evt_' || i, 'x', 'processed', NULL,
                          now() - make_interval(secs => $3), now(), 1, NULL, '{}'
                            FROM generate_series($1::int, $2::int) i`;
      await t.database.query(sql, [made + 1, (made += count), lag]);
    };
    await lags(400, -30);
    await lags(540, 2);
    await lags(60, 70);
    const { webhookLag } = await overview();
    expect(webhookLag).toEqual({
      events: 1000,
      medianSeconds: 2,
      p95Seconds: 70,
      lastReceivedAt: expect.stringMatching(/Z$/),
    });
    await t.database.query('DELETE FROM webhook_events');
  });
});
