import { Column, DataSource, Entity, getMetadataArgsStorage, PrimaryColumn } from 'typeorm';
import { migrate } from '../../src/platform/database/migrate';
import { databaseOptions, migrationDataSource, type EntityClass } from '../../src/platform/database/database-options';
import { ENTITY_CLASSES } from '../../src/entities';
import { sourceClasses } from '../../src/platform/source-classes';
import { query, TestDatabase } from '../support/database';

@Entity('forgotten')
class Unmigrated {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
}

/** The changes that would make a migrated database match the entities. */
async function differences(url: string, entities: readonly EntityClass[]): Promise<string[]> {
  const source = await new DataSource(databaseOptions(url, 2, entities)).initialize();
  const { upQueries } = await source.driver.createSchemaBuilder().log();
  await source.destroy();
  return upQueries.map(({ query: sql }) => sql);
}

describe('Migrations', () => {
  /** A copy of the template of this run, which the migrations have made of an empty database. */
  let database: TestDatabase;
  beforeEach(async () => {
    database = await TestDatabase.create();
  });
  afterEach(() => database.drop());

  it('create the schema of the entities, and a missing one is reported', async () => {
    expect(await differences(database.urls.owner, ENTITY_CLASSES)).toEqual([]);
    expect((await differences(database.urls.owner, [...ENTITY_CLASSES, Unmigrated])).join()).toContain(
      'CREATE TABLE "forgotten"',
    );
  });

  it('cover every entity of the source', () => {
    const exported = new Set<unknown>(sourceClasses());
    const entities = getMetadataArgsStorage()
      .tables.map(({ target }) => target)
      .filter((target) => exported.has(target));
    expect(entities.sort()).toEqual([...ENTITY_CLASSES].sort());
  });

  it('can be reverted step by step and applied again', async () => {
    const executed = await query<{ name: string }>(database.name, 'SELECT name FROM migrations ORDER BY id');
    const steps = executed.map(({ name }) => name);
    const source = await migrationDataSource(database.urls.owner, ENTITY_CLASSES).initialize();
    for (let step = 0; step < steps.length; step++) await source.undoLastMigration();
    const left = await query<{ tablename: string }>(
      database.name,
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(left).toEqual([{ tablename: 'migrations' }]);
    await source.destroy();
    expect(await migrate(database.urls, ENTITY_CLASSES)).toEqual(steps);
  });

  it('rename the newer one of two roles whose names look the same', async () => {
    const source = await migrationDataSource(database.urls.owner, ENTITY_CLASSES).initialize();
    const byLowerCase =
      "SELECT FROM pg_indexes WHERE indexname = 'roles_tenant_id_name_key' AND indexdef LIKE '%, lower(name))'";
    while ((await query(database.name, byLowerCase)).length === 0) await source.undoLastMigration();
    await source.destroy();
    const id = (end: string) => `0194c5d0-0000-7000-8000-00000000000${end}`;
    const role = (end: string, name: string) =>
      `('${id('1')}', '${id(end)}', '${name}', false, false, '{tenant.projects.read}')`;
    // as a replica: a tenant would otherwise need an Owner
    await query(
      database.name,
      `SET session_replication_role = replica;
       INSERT INTO tenants (id, name, name_key, created_at) VALUES ('${id('1')}', 'x', 'x', now());
       INSERT INTO roles (tenant_id, id, name, is_built_in, is_owner, permissions)
       VALUES ${role('a', 'Support')}, ${role('b', 'Ｓupport')}, ${role('c', 'Sales')}`,
    );
    await migrate(database.urls, ENTITY_CLASSES);
    expect(await query(database.name, 'SELECT name FROM roles ORDER BY id')).toEqual([
      { name: 'Support' },
      { name: 'Ｓupport (00000b)' },
      { name: 'Sales' },
    ]);
  });

  it('count existing rows, and mark passwords of existing accounts as set before the email was verified', async () => {
    const source = await migrationDataSource(database.urls.owner, ENTITY_CLASSES).initialize();
    const isThere = async () =>
      (await query(database.name, `SELECT FROM pg_tables WHERE tablename = 'row_counts'`)).length > 0;
    while (await isThere()) await source.undoLastMigration();
    await source.destroy();
    await query(
      database.name,
      `INSERT INTO users (id, email, name, password_hash, is_email_verified, created_at)
       SELECT gen_random_uuid(), n || '@example.com', 'x', 'x', n < 3, now() - interval '1 day'
         FROM generate_series(1, 5) n`,
    );
    await migrate(database.urls, ENTITY_CLASSES);
    const count = await query(
      database.name,
      `SELECT state, n::int FROM row_count_changes WHERE name = 'users' ORDER BY state`,
    );
    expect(count).toEqual([
      { state: 'unverified', n: 3 },
      { state: 'verified', n: 2 },
    ]);
    expect(await query(database.name, 'SELECT FROM users WHERE password_set_at < email_verified_at')).toHaveLength(5);
  });

  it('can be run by several processes at once', async () => {
    const empty = await TestDatabase.create('template0');
    const taken = await Promise.all([1, 2, 3].map(() => migrate(empty.urls, ENTITY_CLASSES)));
    expect(taken.filter((steps) => steps.length > 0)).toHaveLength(1);
    expect(await migrate(empty.urls, ENTITY_CLASSES)).toEqual([]);
    await empty.drop();
  });
});
