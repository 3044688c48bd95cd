import type { QueryRunner } from 'typeorm';
import { startOfQuery } from './blocking-transactions';
import type { MigrationWatch } from './migration-watch';

/**
 * Milliseconds for which a transaction of a migration waits for locks, all its statements together.
 * Those of the service wait behind it meanwhile, and give up after 1.9 seconds. After a second,
 * PostgreSQL would look for a deadlock and may end the other transaction.
 */
const LOCK_MS = 1000;

/** Milliseconds for which a statement may wait in any case. */
const LEAST_LOCK_MS = 200;

/**
 * The connection for one attempt at a migration: each of its statements waits for locks only for
 * what is left of the budget. Statements with CONCURRENTLY wait as long as it takes: nobody waits
 * behind them.
 */
export function withinLockBudget(runner: QueryRunner, watch: MigrationWatch, step: string): QueryRunner {
  const start = performance.now();
  const query = async (sql: string, ...rest: unknown[]): Promise<unknown> => {
    const spent = runner.isTransactionActive ? performance.now() - start : 0;
    const most = /\bCONCURRENTLY\b/.test(sql) ? 0 : Math.max(LEAST_LOCK_MS, Math.round(LOCK_MS - spent));
    await runner.query(`SET lock_timeout = ${most}`);
    return watch.during(`${step}: ${startOfQuery(sql)}`, () => runner.query(sql, ...(rest as [])));
  };
  return Object.create(runner, { query: { value: query } }) as QueryRunner;
}
