import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { poolOf, rowsOf } from '../../../src/platform/database/data-source-rows';
import { Database } from '../../../src/platform/database/database';
import { DatabaseNotConnected } from '../../../src/platform/database/database-errors';
import { databaseOptions } from '../../../src/platform/database/database-options';
import { Transaction } from '../../../src/platform/database/transaction';
import { TestApp } from '../../support/app';
import { TestDatabase } from '../../support/database';

/** What the type of Database hides. */
interface Connecting {
  connect(): Promise<void>;
  checkConnection(): Promise<void>;
}

const BACKEND = 'SELECT pg_backend_pid() AS pid';

describe('The pool of connections', () => {
  let database: TestDatabase;
  let source: DataSource;
  const backend = async () => (await rowsOf<{ pid: number }>(source, BACKEND, []))[0].pid;

  beforeAll(async () => {
    database = await TestDatabase.create('template0');
    await database.query('CREATE TABLE notes (number integer PRIMARY KEY)');
  });
  beforeEach(async () => {
    source = await new DataSource(databaseOptions(database.superuserUrl, 1, [])).initialize();
  });
  afterEach(async () => {
    if (source.isInitialized) await source.destroy();
  });
  afterAll(() => database.drop());

  it('keeps a connection after a refused statement, and closes it after a fatal error', async () => {
    const before = await backend();
    await expect(rowsOf(source, 'SELECT 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
    expect(await backend()).toBe(before);
    await expect(rowsOf(source, 'SELECT pg_terminate_backend($1)', [before])).rejects.toMatchObject({ code: '57P01' });
    expect(await backend()).not.toBe(before);
  });

  it('gives a waiting request no connection that PostgreSQL is about to close', async () => {
    const ended = source.query('SELECT pg_terminate_backend(pg_backend_pid())');
    const waiting = source.query('SELECT 1 AS n');
    await expect(ended).rejects.toMatchObject({ code: '57P01' });
    expect(await waiting).toEqual([{ n: 1 }]);
  });

  it('reads an answer that arrived while the process was stopped, instead of giving up', async () => {
    await backend();
    const answer = rowsOf(source, 'SELECT 1 AS n FROM pg_sleep($1)', [0.2]);
    await new Promise((resolve) => setTimeout(resolve, 50)); // sent, and not answered yet
    await new Promise((resolve) => setImmediate(resolve)); // timers fire before sockets are read
    const end = performance.now() + 2600;
    while (performance.now() < end); // longer than a caller waits
    expect(await answer).toEqual([{ n: 1 }]);
  });

  it('closes a connection whose answer is overdue, and connects again', async () => {
    const before = await backend();
    await rowsOf(source, `SELECT set_config('statement_timeout', $1, false)`, ['0']);
    await expect(rowsOf(source, 'SELECT pg_sleep($1)', [3])).rejects.toThrow('Query read timeout');
    expect(await backend()).not.toBe(before);
  });

  it('closes only after a running transaction, whose connection no waiting request gets', async () => {
    const transaction = await Transaction.on(source);
    await transaction.begin('INSERT INTO notes VALUES (1)');
    const pool: Pool = poolOf(source)!;
    const waiting = rowsOf(source, 'INSERT INTO notes VALUES ($1)', [2]).catch((error: Error) => error);
    const closed = source.destroy();
    await expect(pool.connect()).rejects.toThrow('Cannot use a pool after calling end');
    expect(await transaction.query('SELECT number FROM notes', [])).toEqual([{ number: 1 }]);
    await transaction.commit();
    await transaction.release();
    await closed;
    expect(await waiting).toMatchObject({ message: 'timeout exceeded when trying to connect' });
    expect(await database.query('SELECT number FROM notes')).toEqual([{ number: 1 }]);
  });
});

describe('A service whose database does not answer its first check', () => {
  it('keeps the pool, which requests already use', async () => {
    const t = await TestApp.start({ env: { WORKER: 'off' } });
    const service: Connecting = t.nest.get<Connecting>(Database);
    const pool = poolOf(t.nest.get(Database).manager.dataSource);
    jest.spyOn(service, 'checkConnection').mockRejectedValueOnce(new DatabaseNotConnected('No answer.'));
    await expect(service.connect()).rejects.toThrow('No answer.');
    await t.actors.user();
    await service.connect();
    expect(poolOf(t.nest.get(Database).manager.dataSource)).toBe(pool);
    await t.close();
  });
});
