import type { PreparingClient } from '../../../src/platform/database/preparing-client';
import { TestDatabase } from '../../support/database';
import { connectPreparing, resetNotes } from '../../support/notes-table';

const ALL = 'SELECT * FROM notes WHERE number = $1';
const ADD = 'INSERT INTO notes (number, title) VALUES ($1, $2)';
const FIRST = { number: 1, title: 'first' };

/** The fifth execution prepares a statement and is described; the others are not. */
const UNTIL_KNOWN = 5;

describe('A frequent statement', () => {
  let database: TestDatabase;
  let client: PreparingClient;
  /** How often PostgreSQL has described a result to the client. */
  let descriptions = 0;
  const read = async (number: unknown = 1) => (await client.query<object>(ALL, [number])).rows;
  const add = async (number: number) => (await client.query(ADD, [number, 'new'])).rowCount;
  const repeat = async <T>(work: () => Promise<T>, times = UNTIL_KNOWN) => {
    for (let time = 1; time < times; time++) await work();
    return work();
  };

  beforeAll(async () => {
    database = await TestDatabase.create('template0');
  });
  beforeEach(async () => {
    await resetNotes(database);
    client = await connectPreparing(database);
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('rowDescription', () => descriptions++);
  });
  afterEach(() => client.end());
  afterAll(() => database.drop());

  it('is described once for each connection when it is prepared', async () => {
    expect(await repeat(read)).toEqual([FIRST]);
    const before = descriptions;
    expect(await Promise.all([read(), read(2), read(3)])).toEqual([[FIRST], [{ number: 2, title: 'second' }], []]);
    expect((await client.batch([{ text: ALL, values: [2] }])).result.rows).toHaveLength(1);
    expect(descriptions).toBe(before);
  });

  it('is not described again either if it returns no rows', async () => {
    let number = 2;
    expect(await repeat(() => add(++number))).toBe(1);
    const { connection } = client as unknown as { connection: { describe: () => void } };
    const described = jest.spyOn(connection, 'describe');
    expect(await add(++number)).toBe(1);
    expect(described).not.toHaveBeenCalled();
    expect(await repeat(read)).toEqual([FIRST]);
  });

  it('passes its rows or its error to a callback', async () => {
    const answer = (text: string, values: unknown[]) =>
      new Promise((resolve) =>
        client.query(text, values, (error, result) => resolve((error as Error | undefined)?.message ?? result.rows)),
      );
    expect(await repeat(() => answer(ALL, [1]), UNTIL_KNOWN + 1)).toEqual([FIRST]);
    expect(await answer(ALL, ['none'])).toBe('invalid input syntax for type integer: "none"');
    expect(await answer(ALL, [1])).toEqual([FIRST]);
  });

  it('is rejected with the place of the caller when PostgreSQL refuses it, and works again', async () => {
    await repeat(read);
    const refusal = await read('none').catch((error: Error) => error);
    expect(refusal).toMatchObject({ code: '22P02', stack: expect.stringContaining('prepared-queries.e2e-spec') });
    expect(await read()).toEqual([FIRST]);
  });

  it('sends nothing when a parameter cannot be converted', async () => {
    await repeat(read);
    const circular: { self?: unknown } = {};
    circular.self = circular;
    await expect(read(circular)).rejects.toThrow('circular');
    const answer = new Promise((resolve) => client.query(ALL, [circular], (error) => resolve(error)));
    expect(await answer).toMatchObject({ message: expect.stringContaining('circular') });
    expect(await read()).toEqual([FIRST]);
  });

  it('is rejected, also for a callback, when the connection is lost', async () => {
    await repeat(read);
    const sleep = () => client.query('SELECT pg_sleep($1), pg_terminate_backend(pg_backend_pid())', [0.01]);
    const reads = [read(), sleep(), read()].map((work) =>
      work.then(
        () => 'answered',
        () => 'rejected',
      ),
    );
    const answer = new Promise((resolve) =>
      client.query(ALL, [1], (error) => resolve(error ? 'rejected' : 'answered')),
    );
    expect(await Promise.all([...reads, answer])).toEqual(['answered', 'rejected', 'rejected', 'rejected']);
  });

  it('is refused once when a migration has changed its columns', async () => {
    await repeat(read);
    await database.query('ALTER TABLE notes ADD COLUMN more integer');
    await expect(read()).rejects.toThrow('cached plan must not change result type');
    expect(await read()).toEqual([{ ...FIRST, more: null }]);
  });

  it('has another text, too, when it gets another name, because PgBouncer identifies it by its text', async () => {
    await repeat(read);
    await database.query('ALTER TABLE notes ADD COLUMN more integer');
    await read().catch(() => undefined);
    await read();
    const { rows } = await client.query('SELECT name, statement FROM pg_prepared_statements');
    expect(rows).toHaveLength(2);
    for (const { name, statement } of rows as { name: string; statement: string }[])
      expect(statement).toBe(`${ALL} /* ${name} */`);
  });

  it('is closed before it is prepared again, because PgBouncer keeps the name of one that was refused', async () => {
    const { connection } = client as unknown as { connection: { close: (what: object) => void } };
    const closed = jest.spyOn(connection, 'close');
    const readTitle = () => client.query('SELECT title FROM notes WHERE number = $1', [1]);
    await repeat(readTitle, UNTIL_KNOWN - 1);
    await database.query('ALTER TABLE notes RENAME TO hidden');
    await expect(readTitle()).rejects.toMatchObject({ code: '42P01' });
    await database.query('ALTER TABLE hidden RENAME TO notes');
    expect((await readTitle()).rows).toEqual([{ title: 'first' }]);
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it('is refused once when a proxy has prepared it again after a migration', async () => {
    await repeat(read);
    const [{ name }] = await client
      .query<{ name: string }>('SELECT name FROM pg_prepared_statements')
      .then(({ rows }) => rows);
    await client.query(`DEALLOCATE "${name}"; ALTER TABLE notes ADD COLUMN more integer; PREPARE "${name}" AS ${ALL}`);
    await expect(read()).rejects.toThrow('cached plan must not change result type');
    expect(await read()).toEqual([{ ...FIRST, more: null }]);
  });
});
