import { Client } from 'pg';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrationDataSource } from '../../src/platform/database/database-options';
import { migrate } from '../../src/platform/database/migrate';
import { setTenantScopeSql } from '../../src/platform/database/set-tenant-scope';
import { asOwner, auditEntrySql, auditPartitionOf, auditPartitions } from '../support/audit-partitions';
import { TestDatabase } from '../support/database';

/** The bit of a trigger for UPDATE, which the table allows: it erases details. */
const UPDATE = 16;

/** What protects a table, without the names that differ between a table and its partition. */
const PROTECTION = (table: string) => `
  SELECT jsonb_build_object(
    'forced', c.relrowsecurity AND c.relforcerowsecurity,
    'policies', (SELECT jsonb_agg(jsonb_build_array(p.policyname, p.permissive, p.roles, p.cmd, p.qual, p.with_check)
                                  ORDER BY p.policyname)
                   FROM pg_policies p WHERE p.tablename = c.relname AND p.schemaname = 'public'),
    'triggers', (SELECT jsonb_agg(jsonb_build_array(t.tgname, t.tgtype | ${UPDATE}, t.tgfoid::regproc, t.tgenabled)
                                  ORDER BY t.tgname)
                   FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal),
    'indexes', (SELECT jsonb_agg(substring(pg_get_indexdef(i.indexrelid) FROM 'USING .*')
                                 ORDER BY substring(pg_get_indexdef(i.indexrelid) FROM 'USING .*'))
                  FROM pg_index i WHERE i.indrelid = c.oid AND i.indisvalid)) AS protection
    FROM pg_class c WHERE c.oid = '${table}'::regclass`;

const PARTITIONS = `
  SELECT i.inhparent::regclass::text AS parent, i.inhrelid::regclass::text AS name FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relkind IN ('r', 'p') ORDER BY 2`;

const [A, B] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];
const IN_A = setTenantScopeSql({ tenantId: A });

describe('Every partition', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await TestDatabase.create('template0');
    await migrate(database.urls, ENTITY_CLASSES);
    for (const tenant of [A, B]) {
      for (const month of [-1, 0, 1, 2, 3, 4]) {
        await database.query(`INSERT INTO audit_log SELECT ${auditEntrySql(month, tenant, tenant === A ? 10 : 11)}`);
      }
    }
  });
  afterAll(() => database.drop());

  const partitions = () => database.query<{ parent: string; name: string }>(PARTITIONS);
  const protectionOf = async (table: string) => (await database.query(PROTECTION(table)))[0];
  const unprotected = async () => {
    const found: string[] = [];
    for (const { parent, name } of await partitions()) {
      if (JSON.stringify(await protectionOf(name)) !== JSON.stringify(await protectionOf(parent))) found.push(name);
    }
    return found;
  };

  /** Runs a statement in a transaction that is rolled back. @returns the rows, or the refusal */
  const attempt = async (url: string, sql: string): Promise<unknown> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(`BEGIN; ${IN_A}`);
      return (await client.query(sql)).rows;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end();
    }
  };

  it('has the policies, triggers and indexes of its table, and one without them is reported', async () => {
    expect((await partitions()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(await auditPartitions(database)),
    );
    expect(await protectionOf('audit_log')).toMatchObject({
      protection: {
        forced: true,
        policies: Array(3).fill(expect.anything()),
        triggers: Array(2).fill(expect.anything()),
      },
    });
    expect(await unprotected()).toEqual([]);
    for (const [harm, repair] of [
      ['ALTER TABLE audit_log_past NO FORCE ROW LEVEL SECURITY', 'ALTER TABLE audit_log_past FORCE ROW LEVEL SECURITY'],
      ['DROP TRIGGER audit_log_is_append_only ON audit_log_past', TRIGGER_OF_PAST],
      ['CREATE POLICY wide ON audit_log_past USING (true)', 'DROP POLICY wide ON audit_log_past'],
    ]) {
      await asOwner(database, harm);
      expect([harm, await unprotected()]).toEqual([harm, ['audit_log_past']]);
      await asOwner(database, repair);
    }
    expect(await unprotected()).toEqual([]);
  });

  it('cannot be addressed by the role of the service, which uses the table', async () => {
    for (const { name } of await partitions()) {
      for (const sql of [
        `SELECT FROM ${name}`,
        `INSERT INTO ${name} SELECT * FROM audit_log`,
        `UPDATE ${name} SET action = 'y'`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
      ])
        expect([sql, await attempt(database.url, sql)]).toEqual([sql, `permission denied for table ${name}`]);
    }
    expect(await attempt(database.url, 'SELECT tenant_id FROM audit_log')).toEqual(Array(6).fill({ tenant_id: A }));
  });

  it('shows its owner, who may be the service, only rows of the scope, and refuses changes', async () => {
    const { owner } = database.urls;
    const refusal = 'the audit log is append-only';
    for (const { name } of await partitions()) {
      expect([name, await attempt(owner, `SELECT DISTINCT tenant_id FROM ${name}`)]).toEqual([
        name,
        [{ tenant_id: A }],
      ]);
      for (const sql of [`UPDATE ${name} SET action = 'y'`, `DELETE FROM ${name}`, `TRUNCATE ${name}`])
        expect([sql, await attempt(owner, sql)]).toEqual([sql, refusal]);
      const [{ id }] = await database.query<{ id: string }>(`SELECT min(id::text) AS id FROM ${name}`);
      const entry = `INSERT INTO ${name} VALUES ('${id.slice(0, -1)}f', now(), 'x', NULL, NULL, '${B}', 'project', 'x',
                     NULL, 'x', '{}')`;
      expect([name, await attempt(owner, entry)]).toEqual([
        name,
        `new row violates row-level security policy for table "${name}"`,
      ]);
    }
    expect(await attempt(owner, 'TRUNCATE audit_log')).toBe(refusal);
  });

  it('is created and dropped by functions that the service may run, but not with months of its own', async () => {
    expect(await attempt(database.url, 'SELECT keep_audit_log_partitions()')).toEqual([
      { keep_audit_log_partitions: false },
    ]);
    expect(await attempt(database.url, 'SELECT drop_expired_audit_log_partitions()')).toEqual([]);
    for (const [sql, refusal] of [
      [`SELECT create_audit_log_partition('x', NULL, NULL)`, 'permission denied for schema public'],
      [
        `CREATE OR REPLACE FUNCTION audit_log_retention_months() RETURNS integer LANGUAGE sql RETURN 0`,
        'permission denied for schema public',
      ],
      ['ALTER TABLE audit_log DETACH PARTITION audit_log_past', 'must be owner of table audit_log'],
    ])
      expect([sql, await attempt(database.url, sql)]).toEqual([sql, refusal]);
  });
});

const TRIGGER_OF_PAST = `
  CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log_past
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_log()`;

describe('The migration to partitions', () => {
  it('keeps entries where they are, and the grants of a running service', async () => {
    const database = await TestDatabase.create('template0');
    await migrate(database.urls, ENTITY_CLASSES);
    const source = await migrationDataSource(database.urls.owner, ENTITY_CLASSES).initialize();
    const isPartitioned = async () =>
      (await database.query(`SELECT FROM pg_class WHERE relname = 'audit_log' AND relkind = 'p'`)).length > 0;
    await database.query(`INSERT INTO audit_log SELECT ${auditEntrySql(2, A, 7)}`);
    const functions = `SELECT FROM pg_proc WHERE proname LIKE '%audit\\_log\\_%'`;
    const entries = () => database.query('SELECT * FROM audit_log ORDER BY id');
    // months of other entries are those of the functions, which the older schema lacks
    const ids = (
      await database.query<{ past: string; late: string }>(`
      SELECT audit_log_bound(now() - interval '100 days')::text AS past, audit_log_bound('2100-01-01')::text AS late`)
    )[0];
    while (await isPartitioned()) await source.undoLastMigration();
    expect(await database.query(functions)).toEqual([]);
    for (const id of Object.values(ids))
      await database.query(
        `INSERT INTO audit_log VALUES ($1, now(), 'x', NULL, NULL, $2, 'project', 'x', NULL, 'x', '{}')`,
        [id, A],
      );
    await database.query('GRANT SELECT, INSERT ON audit_log TO tenantry');
    const before = await entries();
    expect(before).toHaveLength(3);

    await source.runMigrations();
    expect(await entries()).toMatchObject(before); // later migrations add columns
    const placed = await database.query<{ partition: string }>(
      'SELECT tableoid::regclass::text AS partition FROM audit_log ORDER BY id',
    );
    expect(placed.map(({ partition }) => partition)).toEqual([
      'audit_log_past',
      await auditPartitionOf(database, 2),
      'audit_log_future',
    ]);
    const [grants] = await database.query(`
      SELECT has_table_privilege('tenantry', 'audit_log', 'INSERT') AS appends,
             has_table_privilege('tenantry', 'audit_log', 'UPDATE, DELETE, TRUNCATE') AS changes,
             has_table_privilege('tenantry', 'audit_log_past', 'SELECT, INSERT') AS addresses`);
    expect(grants).toEqual({ appends: true, changes: false, addresses: false });
    await source.destroy();
    await database.drop();
  });
});
