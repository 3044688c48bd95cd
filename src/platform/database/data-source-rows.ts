import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { Batching } from './batching-client';
import { DatabaseNotConnected, isStalePlan, isUseless } from './database-errors';
import { scopeParameters, SET_SCOPE_OF_READ } from './set-tenant-scope';
import type { Scope } from './tenant-scope';
import type { WritePosition } from './write-position';

/**
 * The rows of one statement, through pg.
 * @param written if given, the position behind the statement is read in the same packet
 */
export async function rowsOf<Row extends object>(
  source: DataSource,
  sql: string,
  parameters: unknown[],
  written?: WritePosition,
): Promise<Row[]> {
  const { rows } = await repeatIfStale(() =>
    withClient(source, async (client) => {
      const sent = client.query<Row>(sql, parameters);
      if (written) await Promise.allSettled([sent, written.read(client)]);
      return sent;
    }),
  );
  return rows;
}

/** `pool.query` would close the connection after every refusal. */
async function withClient<T>(source: DataSource, work: (client: Batching & PoolClient) => Promise<T>): Promise<T> {
  const client = (await poolOf(connected(source))!.connect()) as Batching & PoolClient;
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(isUseless(error)); // closed, not returned to the pool
    throw error;
  }
}

/** Most attempts to send a statement whose plan cannot be used. */
const ATTEMPTS = 3;

/** Sends a statement again whose plan a migration has made unusable: it gets another name. */
async function repeatIfStale<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (attempt === ATTEMPTS || !isStalePlan(error)) throw error;
    }
  }
}

/** What a read requires: the rows of a scope, and a position that a replica must have replayed. */
interface Requirements {
  readonly scope?: Scope;
  readonly after?: string;
}

/**
 * The rows of one statement that only reads. It is sent in one batch with its scope, which ends
 * with the batch.
 * @returns undefined if the position has not been replayed
 */
export function rowsWithin<Row extends object>(
  source: DataSource,
  required: Requirements,
  sql: string,
  parameters: unknown[],
): Promise<Row[] | undefined> {
  return repeatIfStale(() => readOnce<Row>(source, required, sql, parameters));
}

/**
 * In a tenant, bitmap scans are disabled: these reads return a page in the order of an index. A
 * bitmap scan, which the planner prefers when a tenant or a user has few rows, reads and sorts all
 * of them, and takes a third longer when the rows are far apart (PostgreSQL 18).
 */
async function readOnce<Row extends object>(
  source: DataSource,
  { scope, after }: Requirements,
  sql: string,
  parameters: unknown[],
): Promise<Row[] | undefined> {
  const values = [...scopeParameters(scope), scope ? 'off' : 'on', after ?? null];
  const scoped = [
    { text: SET_SCOPE_OF_READ, values },
    { text: sql, values: parameters },
  ];
  const { result, earlierRow } = await withClient(source, (client) => client.batch<Row>(scoped));
  return earlierRow?.at(-1) === 't' ? result.rows : undefined;
}

/** @throws DatabaseNotConnected before the first connection was made */
export function connected(source: DataSource): DataSource {
  if (!source.isInitialized) throw new DatabaseNotConnected('The database has not been reached yet.');
  return source;
}

/** TypeORM's own pool; undefined before it is connected. */
export const poolOf = (source: DataSource): Pool | undefined => (source.driver as unknown as { master?: Pool }).master;
