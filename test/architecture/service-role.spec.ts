import { Client } from 'pg';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrate } from '../../src/platform/database/migrate';
import { setTenantScopeSql } from '../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT } from '../../src/platform/database/tenant-scope';
import { TestDatabase } from '../support/database';

const OWNERSHIP = /^must be owner of/;
const PERMISSION = /^permission denied/;

describe('The database role of the service', () => {
  let database: TestDatabase;
  let service: Client;

  beforeAll(async () => {
    database = await TestDatabase.create('template0');
    await migrate(database.urls, ENTITY_CLASSES);
    service = new Client({ connectionString: database.url });
    await service.connect();
  });
  afterAll(async () => {
    await service.end();
    await database.drop();
  });

  const refusalOf = (sql: string) =>
    service.query(`BEGIN; ${setTenantScopeSql(EVERY_TENANT)}; ${sql}`).then(
      () => service.query('ROLLBACK').then(() => 'done'),
      (error: Error) => service.query('ROLLBACK').then(() => error.message),
    );

  it.each([
    ['ALTER TABLE users ADD x int', OWNERSHIP],
    ['DROP TABLE projects', OWNERSHIP],
    ['TRUNCATE sessions CASCADE', PERMISSION],
    ['CREATE INDEX ON users (name)', OWNERSHIP],
    ['CREATE TABLE x (id int)', PERMISSION],
    ['CREATE TABLE graphile_worker.x (id int)', PERMISSION],
    ['CREATE TEMPORARY TABLE users (id int)', PERMISSION],
    ['CREATE SCHEMA x', PERMISSION],
    ['CREATE VIEW x AS SELECT * FROM users', PERMISSION],
    ['CREATE FUNCTION x() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$', PERMISSION],
    [`CREATE OR REPLACE FUNCTION app_across_tenants() RETURNS boolean LANGUAGE sql STABLE RETURN true`, PERMISSION],
    ['DROP POLICY tenant_isolation ON projects', OWNERSHIP],
    ['CREATE POLICY x ON projects USING (true)', OWNERSHIP],
    ['ALTER TABLE projects NO FORCE ROW LEVEL SECURITY', OWNERSHIP],
    ['ALTER TABLE projects DISABLE ROW LEVEL SECURITY', OWNERSHIP],
    ['DELETE FROM audit_log', PERMISSION],
    [`UPDATE audit_log SET action = 'x'`, PERMISSION],
    ['TRUNCATE audit_log', PERMISSION],
    ['ALTER TABLE audit_log DISABLE TRIGGER ALL', OWNERSHIP],
    ['DROP TRIGGER audit_log_is_append_only ON audit_log', OWNERSHIP],
    ['CREATE TRIGGER x AFTER INSERT ON audit_log EXECUTE FUNCTION refuse_change_of_audit_log()', PERMISSION],
    ['SET LOCAL session_replication_role = replica', PERMISSION],
    [`INSERT INTO migrations (timestamp, name) VALUES (1, 'x')`, PERMISSION],
    ['DELETE FROM graphile_worker.migrations', PERMISSION],
    ['SET LOCAL ROLE tenantry_owner', PERMISSION],
    ['GRANT tenantry_owner TO tenantry', PERMISSION],
    [`SELECT setval('notification_positions', 1)`, PERMISSION],
  ])('cannot %s', async (sql, refusal) => expect(await refusalOf(sql)).toMatch(refusal));

  it('can read and write all tables, append to the audit log, and use jobs and sequences', async () => {
    const tables = await database.query<{ name: string }>(`
      SELECT c.oid::regclass::text AS name FROM pg_class c
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)`);
    expect(tables.length).toBeGreaterThan(15);
    for (const { name } of tables) {
      expect([name, await refusalOf(`SELECT FROM ${name}`)]).toEqual([name, 'done']);
      if (/audit_log|migrations/.test(name)) continue;
      expect([name, await refusalOf(`DELETE FROM ${name}`)]).toEqual([name, 'done']);
    }
    expect(await refusalOf(`SELECT nextval('notification_positions')`)).toBe('done');
    expect(
      await refusalOf(
        `INSERT INTO audit_log VALUES (gen_random_uuid(), now(), 'x', NULL, NULL, NULL, 'x', 'x', NULL, 'x', '{}')`,
      ),
    ).toBe('done');
    await service.query(`SELECT graphile_worker.add_job('x')`);
    expect((await service.query('SELECT FROM graphile_worker.jobs')).rowCount).toBe(1);
    expect((await service.query(`DELETE FROM graphile_worker._private_jobs`)).rowCount).toBe(1);
  });

  it('owns nothing, and loses additional grants at the next migration', async () => {
    expect(await database.query(`SELECT FROM pg_class WHERE relowner = 'tenantry'::regrole`)).toEqual([]);
    await database.query(
      'GRANT ALL ON audit_log, migrations, users TO tenantry; GRANT CREATE ON SCHEMA public TO tenantry',
    );
    expect(await refusalOf('CREATE TABLE x (id int)')).toBe('done');
    await database.query('ALTER TABLE audit_log DISABLE TRIGGER ALL');
    expect(await refusalOf('DELETE FROM audit_log')).toBe('done');
    await database.query('ALTER TABLE audit_log ENABLE TRIGGER ALL; REVOKE CREATE ON SCHEMA public FROM tenantry');
    expect(await migrate(database.urls, ENTITY_CLASSES)).toEqual([]);
    expect(await refusalOf('DELETE FROM audit_log')).toMatch(PERMISSION);
    expect(await refusalOf(`INSERT INTO migrations (timestamp, name) VALUES (1, 'x')`)).toMatch(PERMISSION);
    expect(await refusalOf('TRUNCATE users CASCADE')).toMatch(PERMISSION);
  });

  it('does not affect the audit log, which is append-only for its owner too', async () => {
    await expect(database.query('DELETE FROM audit_log')).rejects.toThrow('the audit log is append-only');
  });
});

describe('A single role for service and migrations', () => {
  it('runs migrations and gets no grants', async () => {
    const database = await TestDatabase.create('template0');
    const { owner } = database.urls;
    expect((await migrate({ owner, service: owner }, ENTITY_CLASSES)).length).toBeGreaterThan(0);
    expect(await database.query(`SELECT FROM pg_class WHERE relname = 'users' AND relacl IS NOT NULL`)).toEqual([]);
    await database.drop();
  });
});
