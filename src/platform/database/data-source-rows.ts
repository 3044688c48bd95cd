import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseNotConnected, isStalePlan, isUnreachable } from './database-errors';
import { pipeline } from './pg-client-with-timeout';
import { setTenantScopeSql } from './set-tenant-scope';
import type { Scope } from './tenant-scope';

/** The rows of one statement, through pg. */
export async function rowsOf<Row extends object>(
  source: DataSource,
  sql: string,
  parameters: unknown[],
): Promise<Row[]> {
  const pool = poolOf(connected(source))!;
  return (await repeatIfStale(() => pool.query<Row>(sql, parameters))).rows;
}

/** Sends a statement again whose plan a migration has made unusable: it gets another name. */
const repeatIfStale = <T>(send: () => Promise<T>): Promise<T> =>
  send().catch((error: unknown) => {
    if (!isStalePlan(error)) throw error;
    return send();
  });

/**
 * Disables bitmap scans: these reads return a page in the order of an index. A bitmap scan, which
 * the planner prefers when a tenant or a user has few rows, reads and sorts all of them, and takes
 * a third longer when the rows are far apart (PostgreSQL 18).
 */
const IN_ORDER = 'SET LOCAL enable_bitmapscan = off';

/**
 * The rows of one statement, restricted to those of a scope. Three messages in one round trip (pg's
 * pipeline). A statement that fails aborts its transaction, and the scope ends with it.
 */
export function rowsInScope<Row extends object>(
  source: DataSource,
  scope: Scope,
  sql: string,
  parameters: unknown[],
): Promise<Row[]> {
  return repeatIfStale(() => readOnce<Row>(source, scope, sql, parameters));
}

async function readOnce<Row extends object>(
  source: DataSource,
  scope: Scope,
  sql: string,
  parameters: unknown[],
): Promise<Row[]> {
  const client = await poolOf(connected(source))!.connect();
  const asked = pipeline(client, () => [
    client.query(`BEGIN READ ONLY; ${IN_ORDER}; ${setTenantScopeSql(scope)}`),
    client.query<Row>(sql, parameters),
    client.query('COMMIT'),
  ]);
  const outcomes = await Promise.allSettled(asked);
  const refusals = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Error);
  const lost = refusals.find(isUnreachable);
  client.release(lost); // a lost connection is closed, not returned to the pool
  if (refusals.length > 0) throw lost ?? refusals[0];
  return (outcomes[1] as PromiseFulfilledResult<{ rows: Row[] }>).value.rows;
}

/** @throws DatabaseNotConnected before the first connection was made */
export function connected(source: DataSource): DataSource {
  if (!source.isInitialized) throw new DatabaseNotConnected('The database has not been reached yet.');
  return source;
}

/** TypeORM's own pool; undefined before it is connected. */
export const poolOf = (source: DataSource): Pool | undefined => (source.driver as unknown as { master?: Pool }).master;
