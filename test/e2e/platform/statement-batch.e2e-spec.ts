import type { PreparingClient } from '../../../src/platform/database/preparing-client';
import { TestDatabase } from '../../support/database';
import { connectPreparing, preparedTexts, resetNotes } from '../../support/notes-table';

const ADD = 'INSERT INTO notes (number, title) VALUES ($1, $2) RETURNING number';
const READ = 'SELECT title FROM notes WHERE number = $1';
const SET = `SELECT set_config('test.batch', $1, true), $2::int > 1`;

describe('A batch of statements', () => {
  let database: TestDatabase;
  let client: PreparingClient;
  const add = (number: unknown, title: unknown = 'new') => ({ text: ADD, values: [number, title] });
  const read = (number: number) => ({ text: READ, values: [number] });
  const titles = async () =>
    (await database.query<{ title: string }>('SELECT title FROM notes ORDER BY number')).map(({ title }) => title);
  const setting = async () =>
    (await client.query<{ value: string }>(`SELECT current_setting('test.batch', true) AS value`)).rows[0].value;

  beforeAll(async () => {
    database = await TestDatabase.create('template0');
  });
  beforeEach(async () => {
    await resetNotes(database);
    client = await connectPreparing(database);
  });
  afterEach(() => client.end());
  afterAll(() => database.drop());

  it('returns the result of the last statement and a row of those before, prepared or not', async () => {
    for (let time = 0; time < 8; time++) {
      const { result, earlierRow } = await client.batch([{ text: SET, values: ['on', 2] }, read(2)]);
      expect([result.rows, result.rowCount, earlierRow]).toEqual([[{ title: 'second' }], 1, ['on', 't']]);
    }
    expect(await preparedTexts(client)).toEqual([SET, READ]);
  });

  it('is one transaction, whose settings end with it', async () => {
    await client.batch([{ text: SET, values: ['on', 1] }, add(3)]);
    expect(await titles()).toEqual(['first', 'second', 'new']);
    expect(await setting()).toBe('');
  });

  it.each([
    ['the first', [add(1), add(4), read(1)]],
    ['one in the middle', [add(3), add(3), add(4)]],
    ['the last', [add(3), add(4), add(2)]],
  ])('rolls back and reports the refusal when PostgreSQL refuses %s', async (_which, statements) => {
    for (let time = 0; time < 7; time++) {
      await expect(client.batch(statements)).rejects.toMatchObject({ code: '23505', constraint: 'notes_pkey' });
      expect(await titles()).toEqual(['first', 'second']);
    }
    const { result } = await client.batch([add(9), read(2)]); // those behind the refused one were not parsed
    expect(result.rows).toEqual([{ title: 'second' }]);
  });

  it('sends nothing when a parameter cannot be converted', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    await expect(client.batch([add(3), add(4, circular)])).rejects.toThrow('circular');
    expect(await titles()).toEqual(['first', 'second']);
    expect((await client.batch([read(1)])).result.rows).toEqual([{ title: 'first' }]);
  });

  it('is repeated with success when a migration has changed the columns of a prepared statement', async () => {
    const all = { text: 'SELECT * FROM notes WHERE number = $1', values: [1] };
    for (let time = 0; time < 6; time++) await client.batch([all, read(1)]);
    await database.query('ALTER TABLE notes ADD COLUMN more integer');
    await expect(client.batch([all, read(1)])).rejects.toThrow('cached plan must not change result type');
    expect((await client.batch([all, read(1)])).result.rows).toEqual([{ title: 'first' }]);
  });

  it('is answered in the order of other queries', async () => {
    const responses = await Promise.all([
      client.query(READ, [1]).then(({ rows }) => rows as unknown),
      client.batch([add(3), read(3)]).then(({ result }) => result.rows),
      client.query(READ, [2]).then(({ rows }) => rows as unknown),
      client.batch([add(1), read(1)]).catch(({ code }: { code: string }) => code),
      client.query(READ, [3]).then(({ rows }) => rows as unknown),
    ]);
    expect(responses).toEqual([
      [{ title: 'first' }],
      [{ title: 'new' }],
      [{ title: 'second' }],
      '23505',
      [{ title: 'new' }],
    ]);
  });
});

describe('Held statements', () => {
  let database: TestDatabase;
  let client: PreparingClient;
  beforeAll(async () => {
    database = await TestDatabase.create('template0');
    await database.query('CREATE TABLE notes (number integer PRIMARY KEY, title text NOT NULL)');
    client = await connectPreparing(database);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });
  const count = async () => (await database.query('SELECT FROM notes')).length;

  it('are sent with the next statement, in their order, and stored by COMMIT', async () => {
    client.holdBegin(`BEGIN; SET LOCAL test.batch = 'on'`);
    client.hold({ text: ADD, values: [1, 'one'] });
    client.hold({ text: ADD, values: [0, 'zero'] }, 0);
    const { rows } = await client.query(`SELECT title, current_setting('test.batch') AS batch FROM notes`);
    const batch = 'on';
    expect(rows).toEqual([
      { title: 'zero', batch },
      { title: 'one', batch },
    ]);
    expect(await count()).toBe(0);
    client.hold({ text: ADD, values: [2, 'two'] });
    expect(await client.query('COMMIT')).toMatchObject({ command: 'COMMIT' });
    expect(await count()).toBe(3);
  });

  it('make COMMIT fail with the refusal, and nothing is stored', async () => {
    client.holdBegin('BEGIN');
    client.hold({ text: ADD, values: [5, 'five'] });
    client.hold({ text: ADD, values: [5, 'again'] });
    await expect(client.query('COMMIT')).rejects.toMatchObject({ code: '23505' });
    await client.query('ROLLBACK');
    expect(await count()).toBe(3);
  });

  it('fail with the error of BEGIN if that is refused', async () => {
    client.holdBegin('BEGIN; SET LOCAL wrong');
    client.hold({ text: ADD, values: [6, 'six'] });
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '42601' });
    client.holdBegin('BEGIN; SET LOCAL statement_timeout = -2');
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '22023' });
    await client.query('ROLLBACK');
  });

  it('are stored although an earlier statement can no longer be prepared', async () => {
    await database.query('CREATE TABLE others (title text)');
    for (let time = 0; time < 5; time++) await client.batch([{ text: 'SELECT title FROM others' }]);
    await database.query('ALTER TABLE others DROP COLUMN title');
    client.holdBegin('BEGIN');
    client.hold({ text: ADD, values: [8, 'eight'] });
    await client.query('SELECT 1');
    expect(await client.query('COMMIT')).toMatchObject({ command: 'COMMIT' });
    expect(await database.query('SELECT FROM notes WHERE number = 8')).toHaveLength(1);
  });

  it('of a transaction are prepared before the next one begins', async () => {
    const change = 'UPDATE notes SET title = $2 WHERE number = $1';
    for (let time = 0; time < 6; time++) {
      await client.query('BEGIN');
      client.hold({ text: change, values: [1, 'changed'] });
      await client.query('COMMIT');
    }
    expect(await preparedTexts(client)).not.toContain(change);
    for (let time = 0; time < 3; time++) client.prepare(); // those of earlier tests come first
    expect(await preparedTexts(client)).toContain(change);
  });

  it('are prepared one at a time, and none together with COMMIT, which has a time limit', async () => {
    const reads = [1, 2].map((n) => ({ text: `SELECT ${n} FROM notes WHERE number = $1`, values: [n] }));
    for (let time = 0; time < 5; time++) await client.batch(reads);
    const prepared = async () =>
      (await preparedTexts(client)).filter((text) => reads.some((read) => read.text === text));
    client.holdBegin('BEGIN');
    client.hold({ text: ADD, values: [9, 'nine'] });
    await client.query('COMMIT');
    expect(await prepared()).toEqual([]);
    client.holdBegin('BEGIN');
    await client.query('SELECT 1');
    await client.query('COMMIT');
    expect(await prepared()).toEqual([reads[0].text]);
    client.prepare();
    expect(await prepared()).toHaveLength(2);
  });
});
