import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/settings';
import { DatabaseNotConnected, isStalePlan, isUnreachable } from './database-errors';
import { databaseOptions, type EntityClass } from './database-options';
import { observePool } from './database-metrics';
import { Log } from '../observability/log';
import { pipeline } from './pg-client-with-timeout';
import { Metrics } from '../observability/metrics';
import { setTenantScopeSql } from './set-tenant-scope';
import type { Scope } from './tenant-scope';
import { withTimeout } from '../timeout';

/**
 * Injection token of the list of entities. `app.module.ts` provides it, because the platform
 * imports no module.
 */
export const ENTITIES = Symbol('ENTITIES');

const RETRY_MS = 1000;
/** Milliseconds that connections may take to close when the service stops. */
const CLOSE_MS = 2000;

/** The connections to PostgreSQL: the primary and, with DATABASE_READ_URL, a read replica. */
@Injectable()
export class Database implements OnModuleInit, OnApplicationShutdown {
  private readonly primary: DataSource;
  private readonly replica?: DataSource;
  private retry?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(ENTITIES) entities: readonly EntityClass[],
    metrics: Metrics,
    private readonly log: Log,
  ) {
    const { url, readUrl, poolSize, prepared } = settings.database;
    this.primary = new DataSource(databaseOptions(url, poolSize, entities, { prepared }));
    observePool(metrics, () => poolOf(this.primary));
    if (readUrl) this.replica = new DataSource(databaseOptions(readUrl, poolSize, entities, { prepared }));
  }

  /**
   * Connects. When the database is unavailable the service starts anyway, is not ready and retries
   * every second.
   */
  async onModuleInit(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      this.log.warn({ event: 'database.unreachable', err: error }, 'The database is unreachable; retrying');
      this.retryLater();
    }
  }

  private retryLater(): void {
    const retry = () =>
      this.connect().catch((error: unknown) => {
        if (!isUnreachable(error)) {
          this.log.error(
            { event: 'database.connection_refused', err: error },
            'The database refuses connections; retrying',
          );
        }
        this.retryLater();
      });
    if (!this.stopped)
      this.retry = setTimeout(() => {
        void retry();
      }, RETRY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    const closed = this.sources.filter(({ isInitialized }) => isInitialized).map((source) => source.destroy());
    await withTimeout(CLOSE_MS, Promise.all(closed)).catch(() =>
      this.log.warn({ event: 'database.close_timed_out' }, 'Database connections did not close in time'),
    );
  }

  /** The primary, outside of any transaction. Commands use the UnitOfWork instead. */
  get manager(): EntityManager {
    return connected(this.primary).manager;
  }

  /** The rows of one statement on the primary, through pg. */
  query<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    return rowsOf<Row>(this.primary, sql, parameters);
  }

  /**
   * The rows of a query on the replica, which may lag behind, or on the primary if there is no
   * replica.
   */
  read<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    return rowsOf<Row>(this.replica ?? this.primary, sql, parameters);
  }

  /** As `read`; rows that the replica does not have are read on the primary. */
  async readOrQuery<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    const rows = await this.read<Row>(sql, parameters);
    return rows.length > 0 || !this.replica ? rows : this.query<Row>(sql, parameters);
  }

  /** As `read`, restricted to the rows of a scope. */
  readInTenant<Row extends object>(scope: Scope, sql: string, parameters: unknown[]): Promise<Row[]> {
    return rowsWithin<Row>(this.replica ?? this.primary, scope, sql, parameters);
  }

  /** As `readInTenant`, but always on the primary: for reads that must see the latest writes. */
  queryInTenant<Row extends object>(scope: Scope, sql: string, parameters: unknown[]): Promise<Row[]> {
    return rowsWithin<Row>(this.primary, scope, sql, parameters);
  }

  private get sources(): DataSource[] {
    return this.replica ? [this.primary, this.replica] : [this.primary];
  }

  /** Connects all data sources or none: a connected data source is in use. */
  private async connect(): Promise<void> {
    try {
      for (const source of this.sources) {
        if (this.stopped) return;
        await source.initialize();
        if (this.settings.production) await refuseBypassingRole(source);
      }
    } catch (error) {
      for (const source of this.sources) if (source.isInitialized) await source.destroy();
      throw error;
    }
  }
}

/**
 * Refuses a role that bypasses row-level security: a missing WHERE clause would leak rows of other
 * tenants.
 */
async function refuseBypassingRole(source: DataSource): Promise<void> {
  const [{ bypasses }] = await rowsOf<{ bypasses: boolean }>(
    source,
    'SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user',
    [],
  );
  if (bypasses)
    throw new Error(
      'The role of DATABASE_URL bypasses row-level security (superuser or BYPASSRLS); use one that does not.',
    );
}

async function rowsOf<Row extends object>(source: DataSource, sql: string, parameters: unknown[]): Promise<Row[]> {
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
 * Three messages in one round trip (pg's pipeline). A statement that fails aborts its transaction,
 * and the scope ends with it.
 */
function rowsWithin<Row extends object>(
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

function connected(source: DataSource): DataSource {
  if (!source.isInitialized) throw new DatabaseNotConnected('The database has not been reached yet.');
  return source;
}

/** TypeORM's own pool; undefined before it is connected. */
const poolOf = (source: DataSource): Pool | undefined => (source.driver as unknown as { master?: Pool }).master;
