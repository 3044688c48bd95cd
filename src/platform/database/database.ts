import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/settings';
import { connected, poolOf, rowsInScope, rowsOf } from './data-source-rows';
import { isUnreachable } from './database-errors';
import { DATABASE_ROLE, type DatabaseRole } from './database-role';
import { databaseOptions, type EntityClass } from './database-options';
import { observePool } from './database-metrics';
import { Log } from '../observability/log';
import { Metrics } from '../observability/metrics';
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
    return rowsInScope<Row>(this.replica ?? this.primary, scope, sql, parameters);
  }

  /** As `readInTenant`, but always on the primary: for reads that must see the latest writes. */
  queryInTenant<Row extends object>(scope: Scope, sql: string, parameters: unknown[]): Promise<Row[]> {
    return rowsInScope<Row>(this.primary, scope, sql, parameters);
  }

  /** The role of the connections. */
  async role(): Promise<DatabaseRole> {
    return (await this.query<DatabaseRole>(DATABASE_ROLE, []))[0];
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
  const [{ bypasses }] = await rowsOf<DatabaseRole>(source, DATABASE_ROLE, []);
  if (bypasses)
    throw new Error(
      'The role of DATABASE_URL bypasses row-level security (superuser or BYPASSRLS); use one that does not.',
    );
}
