import { MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrationDataSource } from '../../src/platform/database/database-options';
import { TestDatabase } from '../support/database';

/** Earlier migrations are released, and some lock two tables that are rarely locked otherwise. */
const CHECKED_FROM = 1_766_560_000_000;

/** Tables that grow with people and what they do: building an index on them takes seconds. */
const LARGE = new Set(
  `audit_log idempotency_keys invitations last_sign_ins linked_providers memberships notifications one_time_tokens
   projects refresh_tokens sessions subscriptions tenant_search_terms tenants users webhook_deliveries
   webhook_events webhook_messages`.split(/\s+/),
);

const EXISTING = `
  SELECT c.oid::int, c.relfilenode::int AS file FROM pg_class c
   WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace`;

/**
 * Locks of ALTER TABLE and CREATE INDEX; that of a foreign key is weaker. A partition counts as its
 * table.
 */
const LOCKED = `
  SELECT DISTINCT coalesce(i.inhparent, c.oid)::regclass::text AS name
    FROM pg_locks l JOIN pg_class c ON c.oid = l.relation LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
   WHERE l.pid = pg_backend_pid() AND c.oid = ANY ($1)
     AND l.mode IN ('ShareLock', 'ExclusiveLock', 'AccessExclusiveLock') ORDER BY 1`;

const INDEXED = `
  SELECT DISTINCT i.indrelid::regclass::text AS name FROM pg_index i
   WHERE i.indrelid = ANY ($1) AND i.xmin::text = pg_current_xact_id_if_assigned()::xid::text`;

const REWRITTEN = `
  SELECT c.oid::regclass::text AS name FROM pg_class c JOIN unnest($1::int[], $2::int[]) AS old (oid, file)
      ON c.oid = old.oid::oid WHERE c.relfilenode <> old.file::oid`;

const ONE_TABLE = `Statements of the service lock tables in another order, and one of the two then ends in a deadlock.
Write a migration for each table, or one with "readonly transaction = false" whose statements can be repeated
(ADD COLUMN IF NOT EXISTS, DROP INDEX CONCURRENTLY IF EXISTS before CREATE INDEX CONCURRENTLY, CREATE OR REPLACE).`;
const CONCURRENTLY = `Writes wait while the index is built.
Write a migration of its own with "readonly transaction = false",
DROP INDEX CONCURRENTLY IF EXISTS and CREATE INDEX CONCURRENTLY, like 1766300000000-failed-deliveries-of-tenants.ts.`;
const NO_REWRITE = `Every statement waits while the table is written anew. Add a column without a volatile default, and
fill it in batches.`;

/** Applies a migration, outside of a transaction twice. @returns what is wrong with it */
async function problemsOf(runner: QueryRunner, migration: MigrationInterface): Promise<string[]> {
  if (migration.transaction === false) {
    await migration.up(runner);
    return migration.up(runner).then(
      () => [],
      (error: Error) => [`cannot be repeated: ${error.message}. Its statements must find what exists.`],
    );
  }
  const rows = (await runner.query(EXISTING)) as { oid: number; file: number }[];
  const [oids, files] = [rows.map(({ oid }) => oid), rows.map(({ file }) => file)];
  await runner.startTransaction();
  await migration.up(runner);
  const names = async (sql: string, parameters: unknown[]) =>
    ((await runner.query(sql, parameters)) as { name: string }[]).map(({ name }) => name);
  const locked = await names(LOCKED, [oids]);
  const indexed = (await names(INDEXED, [oids])).filter((name) => LARGE.has(name));
  const rewritten = (await names(REWRITTEN, [oids, files])).filter((name) => LARGE.has(name));
  await runner.commitTransaction();
  return [
    ...(locked.length > 1 ? [`changes ${locked.join(' and ')} in one transaction. ${ONE_TABLE}`] : []),
    ...indexed.map((name) => `creates an index of ${name} in a transaction. ${CONCURRENTLY}`),
    ...rewritten.map((name) => `writes ${name} anew. ${NO_REWRITE}`),
  ];
}

describe('A migration', () => {
  let database: TestDatabase;
  let runner: QueryRunner;
  const connect = async (template?: string) => {
    database = await TestDatabase.create(template);
    const source = await migrationDataSource(database.urls.owner, ENTITY_CLASSES).initialize();
    runner = source.createQueryRunner();
    return source;
  };
  afterEach(async () => {
    await runner.dataSource.destroy();
    await database.drop();
  });

  it('changes one existing table in a transaction, or can be repeated', async () => {
    const source = await connect('template0');
    const found: string[] = [];
    for (const { name, timestamp, instance } of await new MigrationExecutor(source, runner).getPendingMigrations()) {
      const problems = instance ? await problemsOf(runner, instance) : [];
      if (timestamp >= CHECKED_FROM || instance?.transaction === false)
        found.push(...problems.map((problem) => `${name} ${problem}`));
    }
    expect(found).toEqual([]);
  }, 60_000);

  it.each([
    [
      'two tables',
      ['ALTER TABLE users ADD a text', 'ALTER TABLE sessions ADD a text'],
      'changes sessions and users in',
    ],
    ['an index of a large table', ['CREATE INDEX x ON sessions (ip)'], 'creates an index of sessions'],
    ['a table that is written anew', ['ALTER TABLE users ADD a uuid DEFAULT gen_random_uuid()'], 'writes users anew'],
  ])('is refused for %s', async (_, statements, problem) => {
    await connect();
    expect((await problemsOf(runner, migrationOf(statements)))[0]).toContain(problem);
  });

  it('is refused if it runs outside of a transaction and cannot be repeated', async () => {
    await connect();
    const migration = { ...migrationOf(['ALTER TABLE users ADD a text']), transaction: false };
    expect((await problemsOf(runner, migration))[0]).toContain('cannot be repeated: column "a" of relation "users"');
  });

  it('may create a table with references and indexes, and change a small one with a reference', async () => {
    await connect();
    const statements = [
      'CREATE TABLE x (id uuid PRIMARY KEY REFERENCES users, tenant_id uuid REFERENCES tenants)',
      'CREATE INDEX x_tenant_id_idx ON x (tenant_id)',
      'ALTER TABLE webhook_endpoints ADD made_by uuid REFERENCES users',
      'CREATE INDEX webhook_endpoints_made_by_idx ON webhook_endpoints (made_by)',
    ];
    expect(await problemsOf(runner, migrationOf(statements))).toEqual([]);
  });
});

const migrationOf = (statements: readonly string[]): MigrationInterface => ({
  up: async (runner) => {
    for (const sql of statements) await runner.query(sql);
  },
  down: () => Promise.resolve(),
});
