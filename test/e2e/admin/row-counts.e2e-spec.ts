import { CommandBus } from '@nestjs/cqrs';
import { FoldRowCounts } from '../../../src/admin/commands/fold-row-counts';
import type { SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';

/** The counts of the overview, counted from the rows. */
const COUNTED = {
  users: `SELECT count(*)::int AS total, count(*) FILTER (WHERE NOT is_email_verified)::int AS unverified,
    count(disabled_at)::int AS disabled FROM users`,
  tenants: `
    SELECT coalesce(s.plan, 'Free') AS plan, coalesce(s.status, 'Active') AS status, count(*)::int AS tenants
      FROM tenants t LEFT JOIN subscriptions s ON s.tenant_id = t.id WHERE t.deleted_at IS NULL GROUP BY 1, 2
        ORDER BY 1, 2`,
  events: 'SELECT status, count(*)::int AS events FROM webhook_events GROUP BY status',
};

describe('row counts of the overview', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
  });
  afterAll(() => t.close());

  const fold = () => t.nest.get(CommandBus).execute(new FoldRowCounts());
  const overview = async () => (await t.api.get('/admin/overview').set(admin.bearer).expect(200)).body.data;
  const expectExact = async () => {
    const { users, tenants, webhookEvents } = await overview();
    expect([users]).toEqual(await t.database.query(COUNTED.users));
    expect(tenants).toEqual(await t.database.query(COUNTED.tenants));
    const events = await t.database.query<{ status: string; events: number }>(COUNTED.events);
    expect(webhookEvents).toMatchObject(Object.fromEntries(events.map(({ status, events: count }) => [status, count])));
    expect(Object.values(webhookEvents as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(
      events.reduce((sum, { events: count }) => sum + count, 0),
    );
  };
  const changes = async () => (await t.database.query('SELECT FROM row_count_changes')).length;

  it('are exact after concurrent writes, while the changes are folded', async () => {
    let ended = false;
    const folding = (async () => {
      while (!ended) await fold();
    })();
    const email = (index: number) => `counted${index}@example.com`;
    const event = `INSERT INTO webhook_events (id, event_id, type, status, created_at, received_at, payload)
                   VALUES (gen_random_uuid(), gen_random_uuid(), 'x', $1, now(), now(), '{}')`;
    const lives = Array.from({ length: 12 }, async (_, index) => {
      await t.api
        .post('/auth/register')
        .send({ email: email(index), password: 'correct horse battery', name: 'Ada' })
        .expect(201);
      const owner = await t.actors.owner(index % 2 ? { plan: 'Pro' } : {});
      const { user } = await t.actors.signedInUser();
      await t.api.post(`/admin/users/${user.id}/disable`).set(admin.bearer).send({ reason: 'x' });
      await t.database.query(event, [index % 3 ? 'processed' : 'failed']);
      await t.database.query(`UPDATE webhook_events SET status = 'needs-attention' WHERE status = 'failed'`);
      if (index % 2)
        await t.database.query(`UPDATE subscriptions SET status = 'PastDue' WHERE tenant_id = $1`, [owner.tenantId]);
      if (index % 3 === 0) await t.api.delete('/tenants/current').set(owner.bearer).expect(200);
      if (index % 4 === 0) await t.api.post(`/admin/users/${user.id}/enable`).set(admin.bearer).send({ reason: 'x' });
    });
    await Promise.all(lives);
    ended = true;
    await folding;
    await expectExact();
    expect((await overview()).users).toMatchObject({ unverified: 12 });
    await fold();
    expect(await changes()).toBe(0);
    await expectExact();
  }, 60_000);

  it('omit what was rolled back, and store one change for a statement with a thousand rows', async () => {
    const before = await changes();
    const add = `INSERT INTO users (id, email, name, is_email_verified, created_at)
                 SELECT gen_random_uuid(), gen_random_uuid() || '@example.com', 'Ada', n % 2 = 0, now()
                   FROM generate_series(1, 5000) n`;
    await t.database.query(`BEGIN; ${add}; ROLLBACK`);
    expect(await changes()).toBe(before);
    await t.database.query(add);
    expect(await changes()).toBe(before + 2);
    await expectExact();
    await t.database.query(
      `UPDATE users SET is_email_verified = true, disabled_at = now() WHERE name = 'Ada' AND NOT is_email_verified`,
    );
    await expectExact();
    await t.database.query(
      `DELETE FROM users WHERE disabled_at IS NOT NULL AND NOT EXISTS (SELECT FROM memberships m
        WHERE m.user_id = users.id)`,
    );
    await expectExact();
  });

  it('do not block: uncommitted registrations delay neither others nor the folding', async () => {
    const { Client } = await import('pg');
    const other = new Client({ connectionString: t.database.url });
    await other.connect();
    await other.query(`BEGIN; INSERT INTO users (id, email, name, is_email_verified, created_at)
                       VALUES (gen_random_uuid(), 'slow@example.com', 'Slow', true, now())`);
    await t.api
      .post('/auth/register')
      .send({ email: 'quick@example.com', password: 'correct horse battery', name: 'Quick' })
      .expect(201);
    await fold();
    await expectExact();
    await other.query('COMMIT');
    await other.end();
    await expectExact();
    expect(await changes()).toBe(1);
  });
});
