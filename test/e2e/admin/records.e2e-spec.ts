import { newId } from '../../../src/platform/ids';
import { type Person } from '../../support/actors';
import { codeOf } from '../../support/answers';
import { TestApp } from '../../support/app';

describe('overview and webhook events, for operators', () => {
  let t: TestApp;
  let admin: Person;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
  });
  afterAll(() => t.close());

  const overview = async () => (await t.api.get('/admin/overview').set(admin.bearer).expect(200)).body.data;
  const events = async (query: object = {}) => (await t.api.get('/admin/webhook-events').query(query).set(admin.bearer).expect(200)).body.data;
  const event = async (status: string) => {
    const id = newId();
    await t.database.query(`INSERT INTO webhook_events VALUES ('${id}', 'evt_${id}', 'invoice.paid', $1, NULL, now(), now(), 1, NULL, '{"a": 1}')`, [
      status,
    ]);
    return id;
  };

  it('begin with nothing', async () => {
    expect(await events()).toEqual({ items: [], nextCursor: null });
    expect(await overview()).toEqual({
      users: { total: 1, unverified: 0, disabled: 0 },
      tenants: [],
      jobs: { waiting: 0, running: 0, retrying: 0, dead: 0 },
      webhookEvents: { processed: 0, ignored: 0, failed: 0, 'needs-attention': 0 },
      lastSync: null,
    });
  });

  it('count what there is', async () => {
    await t.actors.user({ isEmailVerified: false });
    await t.actors.user({ disabledAt: new Date() });
    const [free, pro] = [await t.actors.owner(), await t.actors.owner()];
    await t.database.query(`INSERT INTO subscriptions (tenant_id, plan, status, updated_at) VALUES ($1, 'Pro', 'PastDue', now())`, [pro.tenantId]);
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

  it('show events by status, those received last first, page by page', async () => {
    const failed = [await event('needs-attention'), await event('needs-attention'), await event('needs-attention')].reverse();
    const first = await events({ status: 'needs-attention', limit: 2 });
    const second = await events({ status: 'needs-attention', limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(failed);
    expect(second.items[0]).toMatchObject({ eventId: `evt_${failed[2]}`, type: 'invoice.paid', tenantId: null, attempts: 1, payload: { a: 1 } });
    expect(codeOf(await t.api.get('/admin/webhook-events?status=lost').set(admin.bearer).expect(400))).toBe('VALIDATION_ERROR');
  });
});
