import { CommandBus } from '@nestjs/cqrs';
import { Client } from 'pg';
import { PurgeDeletedTenant } from '../../../src/tenants/commands/purge-deleted-tenant';
import { setTenantScopeSql } from '../../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT, type Scope } from '../../../src/platform/database/tenant-scope';
import { claimsOf, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';

const TABLES = ['memberships', 'roles', 'invitations', 'projects', 'notifications', 'subscriptions'];

describe('a tenant that is deleted', () => {
  let t: TestApp;
  let worker: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    worker = await TestApp.start({ beside: t });
  });
  afterAll(async () => {
    await worker.close();
    await t.close();
  });

  const rowsOf = async (tenantId: string) => {
    const counts = TABLES.map((table) => `(SELECT count(*) FROM ${table} WHERE tenant_id = $1)`).join(' + ');
    return Number(
      (
        await t.database.query<{ n: string }>(`SELECT ${counts} + (SELECT count(*) FROM tenants WHERE id = $1) AS n`, [
          tenantId,
        ])
      )[0].n,
    );
  };
  const fill = async ({ tenantId, user }: Member, rows: number) => {
    await t.database.query(
      `INSERT INTO projects (tenant_id, id, name, archived, created_at)
        SELECT $1, gen_random_uuid(), 'P', false, now() FROM generate_series(1, $2)`,
      [tenantId, rows],
    );
    await t.database.query(
      `INSERT INTO notifications (id, tenant_id, user_id, kind, data, position, created_at)
       SELECT gen_random_uuid(), $1, $2, 'MemberInvited', '{}', n, now() FROM generate_series(1, $3) n`,
      [tenantId, user.id, rows],
    );
  };
  const remove = ({ bearer }: Member) => t.api.delete('/tenants/current').set(bearer);
  const untilGone = (tenantId: string) =>
    eventually(async () => (await rowsOf(tenantId)) === 0 || undefined, 'the end of its rows', 60_000);

  it('is invisible at once and its 100,000 rows are removed within a minute', async () => {
    const [owner, admin] = [await t.actors.owner({ tenantName: 'Colossus' }), await t.actors.admin()];
    const member = await t.actors.member(owner, 'Admin');
    const elsewhere = await t.actors.owner();
    await t.database.query(
      `INSERT INTO memberships SELECT $1, $2, gen_random_uuid(), id, false, now() FROM roles WHERE tenant_id = $1
        AND name = 'Member'`,
      [owner.tenantId, elsewhere.user.id],
    );
    await t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email: 'guest@example.com' }).expect(200);
    const [mail] = [await t.mailbox.last('guest@example.com')];
    const token = /[A-Za-z0-9_-]{43}/.exec(mail.text ?? '')![0];
    await fill(owner, 50_000);
    const start = performance.now();
    await remove(owner).expect(200);
    expect(performance.now() - start).toBeLessThan(1000);
    expect(await rowsOf(owner.tenantId)).toBeGreaterThan(10_000); // the following happens during the removal
    await eventually(
      async () => (await t.api.get('/auth/me').set(member.bearer)).status === 401 || undefined,
      'the end of the tokens',
    );
    for (const list of ['members', 'roles', 'invitations', 'projects', 'audit-log']) {
      expect((await t.api.get(`/tenants/current/${list}`).set(member.bearer).expect(401)).body.error.code).toBe(
        'SESSION_ENDED',
      );
    }
    await t.api.post('/tenants/current/projects').set(member.bearer).send({ name: 'x' }).expect(401);
    await remove(owner).expect(401);
    expect(claimsOf((await t.actors.refreshed(member)).accessToken)).toMatchObject({ role: '', permissions: [] });
    expect(claimsOf((await t.actors.refreshed(elsewhere)).accessToken).tenant_id).toBe(elsewhere.tenantId);
    await t.api.post('/auth/switch-tenant').set(elsewhere.bearer).send({ tenantId: owner.tenantId }).expect(404);
    await t.api.get('/invitations/preview').query({ token }).expect(400);
    const seen = async (query: object) =>
      (await t.api.get('/admin/tenants').query(query).set(admin.bearer).expect(200)).body.data.items as unknown[];
    expect([await seen({ search: 'Colossus' }), await seen({ search: owner.tenantId })]).toEqual([[], []]);
    await t.api.get(`/admin/tenants/${owner.tenantId}`).set(admin.bearer).expect(404);
    await untilGone(owner.tenantId);
    expect(performance.now() - start).toBeLessThan(60_000);
    expect(await t.database.query('SELECT FROM deleted_tenants')).toEqual([]);
    expect(
      await t.database.query(`SELECT FROM audit_log WHERE tenant_id = $1 AND action = 'tenant.deleted'`, [
        owner.tenantId,
      ]),
    ).toHaveLength(1);
    await t.api.get('/tenants/current').set(elsewhere.bearer).expect(200);
  }, 120_000);

  it('is removed in batches, which survives a killed process and is idempotent', async () => {
    const [owner, other] = [await t.actors.owner(), await t.actors.owner()];
    await worker.close();
    await fill(owner, 6000);
    await fill(other, 10);
    await remove(owner).expect(200);
    const before = await rowsOf(owner.tenantId);
    const step = () => t.nest.get(CommandBus).execute(new PurgeDeletedTenant(owner.tenantId));
    await step();
    expect(await rowsOf(owner.tenantId)).toBe(before - 5000);
    worker = await TestApp.start({ beside: t }); // the job is still in the queue
    await untilGone(owner.tenantId);
    await step();
    const living = await rowsOf(other.tenantId);
    await t.nest.get(CommandBus).execute(new PurgeDeletedTenant(other.tenantId)); // this tenant was not deleted
    expect(await rowsOf(other.tenantId)).toBe(living);
  }, 60_000);

  it('loses its webhook deliveries in batches, before the messages and the endpoints that they refer to', async () => {
    const owner = await t.actors.owner();
    await worker.close();
    await t.database.query(
      `WITH endpoint AS (
         INSERT INTO webhook_endpoints
           (tenant_id, id, url, description, keys_enc, public_key, failures, is_slow, is_deleted, created_at)
         SELECT $1, gen_random_uuid(), 'https://receiver.example', '', '', '', 0, false, false, now()
           FROM generate_series(1, 10) RETURNING id
       ), message AS (
         INSERT INTO webhook_messages (tenant_id, id, type, body, is_pending)
         SELECT $1, gen_random_uuid(), 'project.created', '{}', false FROM generate_series(1, 600) RETURNING id
       )
       INSERT INTO webhook_deliveries
         (tenant_id, id, endpoint_id, message_id, type, state, attempt, log, created_at)
       SELECT $1, gen_random_uuid(), e.id, m.id, 'project.created', 'failed', 0, '[]', now()
         FROM endpoint e, message m`,
      [owner.tenantId],
    );
    await remove(owner).expect(200);
    const tables = ['webhook_deliveries', 'webhook_messages', 'webhook_endpoints'];
    const counts = () =>
      Promise.all(
        tables.map(
          async (table) =>
            (await t.database.query(`SELECT FROM ${table} WHERE tenant_id = $1`, [owner.tenantId])).length,
        ),
      );
    const step = () => t.nest.get(CommandBus).execute(new PurgeDeletedTenant(owner.tenantId));
    await step();
    const [deliveries, ...others] = await counts();
    expect(deliveries).toBeGreaterThanOrEqual(1000);
    expect(deliveries).toBeLessThan(6000);
    expect(others).toEqual([600, 10]);
    worker = await TestApp.start({ beside: t });
    await untilGone(owner.tenantId);
    expect(await counts()).toEqual([0, 0, 0]);
  }, 60_000);

  it('lets concurrent changes commit before the deletion or fail', async () => {
    for (let round = 0; round < 3; round++) {
      const owner = await t.actors.owner({ plan: 'Business' });
      const create = () => t.api.post('/tenants/current/projects').set(owner.bearer).send({ name: 'x' });
      const responses = await Promise.all([
        ...Array.from({ length: 10 }, create),
        remove(owner),
        ...Array.from({ length: 10 }, create),
      ]);
      expect(responses[10].status).toBe(200);
      // a request that arrives after the deletion finds its token revoked
      const refusals = responses.filter(({ status }) => status !== 200).map(codeOf);
      expect(refusals.filter((code) => code !== 'NOT_FOUND' && code !== 'SESSION_ENDED')).toEqual([]);
      await untilGone(owner.tenantId);
    }
  }, 60_000);

  it('is hidden from every scope by the database, and can be deleted once', async () => {
    const owner = await t.actors.owner();
    await worker.close();
    const responses = await Promise.all([remove(owner), remove(owner), remove(owner)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const service = new Client({ connectionString: t.database.url });
    await service.connect();
    const count = async (scope: Scope, table: string, column: string) => {
      await service.query(`BEGIN; ${setTenantScopeSql(scope)}`);
      const { rowCount } = await service.query(`SELECT FROM ${table} WHERE ${column} = $1`, [owner.tenantId]);
      await service.query('ROLLBACK');
      return rowCount;
    };
    for (const table of TABLES)
      expect([table, await count({ tenantId: owner.tenantId }, table, 'tenant_id')]).toEqual([table, 0]);
    for (const scope of [EVERY_TENANT, { tenantId: owner.tenantId }] as const)
      expect(await count(scope, 'tenants', 'id')).toBe(0);
    await service.end();
    worker = await TestApp.start({ beside: t });
    await untilGone(owner.tenantId);
  }, 60_000);
});
