import { DataSource } from 'typeorm';
import { rowsOf } from '../../../src/platform/database/data-source-rows';
import { isStalePlan } from '../../../src/platform/database/database-errors';
import { databaseOptions } from '../../../src/platform/database/database-options';
import { MEMBERS_PAGE } from '../../../src/tenants/data/member-select';
import { TestDatabase } from '../../support/database';

describe('Frequent statements', () => {
  let database: TestDatabase;
  const open: DataSource[] = [];

  /** One connection, so that each statement is sent through the same one. */
  const connect = async (prepared: boolean) => {
    const source = new DataSource(databaseOptions(database.urls.owner, 1, [], { prepared }));
    open.push(await source.initialize());
    return source;
  };
  const read = (source: DataSource, number: number) =>
    source.query<{ title: string }[]>('SELECT * FROM notes WHERE number = $1', [number]);
  const repeat = async (times: number, work: () => Promise<unknown>) => {
    for (let time = 0; time < times; time++) await work();
  };
  const preparedIn = (source: DataSource) => source.query<object[]>('SELECT name FROM pg_prepared_statements');

  beforeAll(async () => {
    database = await TestDatabase.create('template0');
    const source = await connect(false);
    await source.query('CREATE TABLE notes (number integer PRIMARY KEY, title text NOT NULL)');
    await source.query(`INSERT INTO notes VALUES (1, 'first'), (2, 'second')`);
  });
  afterAll(async () => {
    await Promise.all(open.map((source) => source.destroy()));
    await database.drop();
  });

  it('are prepared, with and without a transaction, and return the rows of their parameters', async () => {
    const source = await connect(true);
    await repeat(5, () => read(source, 1));
    expect(await preparedIn(source)).toHaveLength(1);
    expect(await read(source, 2)).toEqual([{ number: 2, title: 'second' }]);
    const rows = await source.transaction((manager) => manager.query('SELECT * FROM notes WHERE number = $1', [1]));
    expect(rows).toEqual([{ number: 1, title: 'first' }]);
  });

  it('are prepared once when several are sent without waiting', async () => {
    const source = await connect(true);
    await repeat(5, () => read(source, 1));
    const other = await connect(true);
    const responses = await Promise.all([1, 2, 1, 2].map((number) => read(other, number)));
    expect(responses.map(([{ title }]) => title)).toEqual(['first', 'second', 'first', 'second']);
    expect(await preparedIn(other)).toHaveLength(1);
  });

  it('are not prepared when they are rare, have no parameters, or DATABASE_PREPARED is false', async () => {
    const [rare, without, off] = [await connect(true), await connect(true), await connect(false)];
    await rare.query('SELECT title AS "only here" FROM notes WHERE number = $1', [1]);
    await repeat(6, () => without.query('SELECT number FROM notes'));
    await repeat(6, () => read(off, 1));
    for (const source of [rare, without, off]) expect(await preparedIn(source)).toEqual([]);
  });

  it('keep their connection usable after PostgreSQL has refused one', async () => {
    const source = await connect(true);
    const add = () => source.query('INSERT INTO notes VALUES ($1, $2)', [1, 'again']);
    await repeat(6, () => expect(add()).rejects.toMatchObject({ code: '23505' }));
    expect(await read(source, 1)).toHaveLength(1);
  });

  it('get another name when a migration has changed their columns, for all connections', async () => {
    const [one, other] = [await connect(true), await connect(true)];
    await repeat(5, () => read(one, 1));
    await read(other, 1);
    await open[0].query('ALTER TABLE notes ADD COLUMN color text');
    const refused: unknown = await one
      .transaction((manager) => manager.query('SELECT * FROM notes WHERE number = $1', [1]))
      .catch((error: unknown) => error);
    expect(isStalePlan(refused)).toBe(true);
    for (const source of [one, other])
      expect(await read(source, 1)).toEqual([{ number: 1, title: 'first', color: null }]);
  });

  it('are usable again, also behind a pooler, after a migration has changed the type of a column', async () => {
    await database.query('CREATE TABLE labels (text text NOT NULL)');
    await database.query(`INSERT INTO labels VALUES ('a'); GRANT SELECT ON labels TO tenantry`);
    const prepared = process.env.TEST_POOLER_PREPARES !== 'false';
    const source = await new DataSource(databaseOptions(database.url, 4, [], { prepared })).initialize();
    open.push(source);
    const labels = () => rowsOf(source, 'SELECT * FROM labels WHERE text <> $1', ['']);
    const atOnce = () => Promise.all(Array.from({ length: 4 }, labels));
    await repeat(6, atOnce);
    await database.query('ALTER TABLE labels ALTER COLUMN text TYPE varchar(20)');
    await repeat(3, async () => expect(await atOnce()).toEqual(Array.from({ length: 4 }, () => [{ text: 'a' }])));
  });

  it('are usable after a parameter that cannot be sent', async () => {
    const source = await connect(true);
    const echo = (value: unknown) => source.query<{ text: string }[]>('SELECT $1::text AS text', [value]);
    await repeat(5, () => echo('a'));
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(echo(circular)).rejects.toThrow('circular structure');
    expect(await echo('a')).toEqual([{ text: 'a' }]);
  });

  it('find a page by the index, with one plan for all cursors', async () => {
    const migrated = await TestDatabase.create();
    const source = await new DataSource(databaseOptions(migrated.urls.owner, 1, [])).initialize();
    await source.query('SET enable_seqscan = off');
    await source.query('SET enable_bitmapscan = off');
    const plan = await source.query<Record<string, string>[]>(`EXPLAIN (GENERIC_PLAN) ${MEMBERS_PAGE}`);
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toMatch(/Index Cond: \(\(tenant_id = \$1\) AND \(id > \$2\)\)/);
    await source.destroy();
    await migrated.drop();
  });
});
