import { DataSource } from 'typeorm';
import { isStalePlan } from '../../../src/platform/database/database-errors';
import { databaseOptions } from '../../../src/platform/database/database-options';
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
  const preparedIn = async (source: DataSource) =>
    (await source.query<{ statement: string }[]>('SELECT statement FROM pg_prepared_statements')).map(
      ({ statement }) => statement,
    );

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
    expect(await preparedIn(source)).toEqual(['SELECT * FROM notes WHERE number = $1']);
    expect(await read(source, 2)).toEqual([{ number: 2, title: 'second' }]);
    const rows = await source.transaction((manager) => manager.query('SELECT * FROM notes WHERE number = $1', [1]));
    expect(rows).toEqual([{ number: 1, title: 'first' }]);
  });

  it('are prepared once when several are sent without waiting', async () => {
    const source = await connect(true);
    await repeat(5, () => read(source, 1));
    const other = await connect(true);
    const answers = await Promise.all([1, 2, 1, 2].map((number) => read(other, number)));
    expect(answers.map(([{ title }]) => title)).toEqual(['first', 'second', 'first', 'second']);
    expect(await preparedIn(other)).toHaveLength(1);
  });

  it('are not prepared when they are rare, have no parameters, or DATABASE_PREPARED is false', async () => {
    const [rare, without, off] = [await connect(true), await connect(true), await connect(false)];
    await rare.query('SELECT title FROM notes WHERE number = $1', [1]);
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

  it('are prepared anew in another connection after a migration has changed their columns', async () => {
    const source = await connect(true);
    await repeat(5, () => read(source, 1));
    await open[0].query('ALTER TABLE notes ADD COLUMN color text');
    const refused: unknown = await source
      .transaction((manager) => manager.query('SELECT * FROM notes WHERE number = $1', [1]))
      .catch((error: unknown) => error);
    expect(isStalePlan(refused)).toBe(true);
    expect(await read(source, 1)).toEqual([{ number: 1, title: 'first', color: null }]);
  });
});
