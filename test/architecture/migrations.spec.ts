import { Column, DataSource, Entity, getMetadataArgsStorage, PrimaryColumn } from 'typeorm';
import { migrate } from '../../src/platform/migrate';
import { databaseOptions, migrationDataSource, type EntityClass } from '../../src/platform/database-options';
import { ENTITY_CLASSES } from '../../src/entities';
import { query, TestDatabase } from '../support/database';
import { exportsOfSource } from './source-files';

@Entity('forgotten')
class Forgotten {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
}

/** What would have to change in a migrated database for it to be as the entities say. */
async function differences(url: string, entities: readonly EntityClass[]): Promise<string[]> {
  const source = await new DataSource(databaseOptions(url, 2, entities)).initialize();
  const { upQueries } = await source.driver.createSchemaBuilder().log();
  await source.destroy();
  return upQueries.map(({ query: sql }) => sql);
}

describe('migrations', () => {
  let database: TestDatabase;
  beforeEach(async () => void (database = await TestDatabase.create('template0')));
  afterEach(() => database.drop());

  it('make the database as the entities say, and a forgotten one would be noticed', async () => {
    await migrate(database.urls, ENTITY_CLASSES);
    expect(await differences(database.urls.owner, ENTITY_CLASSES)).toEqual([]);
    expect((await differences(database.urls.owner, [...ENTITY_CLASSES, Forgotten])).join()).toContain('CREATE TABLE "forgotten"');
  });

  it('know every entity of the source', () => {
    const exported = new Set(exportsOfSource());
    const entities = getMetadataArgsStorage()
      .tables.map(({ target }) => target)
      .filter((target) => exported.has(target));
    expect(entities.sort()).toEqual([...ENTITY_CLASSES].sort());
  });

  it('can be taken back, step by step, and made again', async () => {
    const steps = await migrate(database.urls, ENTITY_CLASSES);
    const source = await migrationDataSource(database.urls.owner, ENTITY_CLASSES).initialize();
    for (let step = 0; step < steps.length; step++) await source.undoLastMigration();
    const left = await query<{ tablename: string }>(database.name, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    expect(left).toEqual([{ tablename: 'migrations' }]);
    await source.destroy();
    expect(await migrate(database.urls, ENTITY_CLASSES)).toEqual(steps);
  });

  it('may be run by several at once', async () => {
    const taken = await Promise.all([1, 2, 3].map(() => migrate(database.urls, ENTITY_CLASSES)));
    expect(taken.filter((steps) => steps.length > 0)).toHaveLength(1);
    expect(await migrate(database.urls, ENTITY_CLASSES)).toEqual([]);
  });
});
