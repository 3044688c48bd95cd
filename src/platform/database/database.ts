import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/settings';
import { connected, poolOf, rowsOf, rowsWithin } from './data-source-rows';
import { isUnreachable } from './database-errors';
import type { DatabaseFunction } from './database-function';
import { DATABASE_ROLE, type DatabaseRole } from './database-role';
import { databaseOptions, type EntityClass } from './database-options';
import { observePool } from './database-metrics';
import { Log } from '../observability/log';
import { Metrics } from '../observability/metrics';
import { currentContext } from '../observability/request-context';
import { ReadReplica } from './read-replica';
import type { Scope } from './tenant-scope';
import type { WritePosition } from './write-position';
import { withTimeout } from '../timeout';

/**
 * Injection token of the list of entities. `app.module.ts` provides it, because the platform
 * imports no module.
 */
export const ENTITIES = Symbol('ENTITIES');

const RETRY_MS = 1000;
/** Milliseconds that connections may take to close. */
const CLOSE_MS = 2000;

/** The connections to PostgreSQL: the primary and, with DATABASE_READ_URL, a read replica. */
@Injectable()
export class Database implements OnModuleInit, OnApplicationShutdown {
  private readonly primary: DataSource;
  private readonly replica?: ReadReplica;
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
    if (!readUrl) return;
    const replica = new DataSource(databaseOptions(readUrl, poolSize, entities, { prepared }));
    this.replica = new ReadReplica(replica, (source) => this.checkConnection(source), metrics, log);
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
    const closed = this.primary.isInitialized ? [this.primary.destroy()] : [];
    if (this.replica) closed.push(this.replica.stop());
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
    const { written } = currentContext();
    return rowsOf<Row>(this.primary, sql, parameters, written);
  }

  /**
   * The rows of a query on the replica, which may lag behind, or on the primary if there is no
   * replica, if it is away, or if it lacks what the client has written (X-Read-After).
   */
  read<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.readFrom<Row>((source, after) =>
      after === undefined ? rowsOf<Row>(source, sql, parameters) : rowsWithin<Row>(source, { after }, sql, parameters),
    );
  }

  /** As `read`; rows that the replica does not have are read on the primary. */
  async readOrQuery<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    const rows = await this.read<Row>(sql, parameters);
    return rows.length > 0 || !this.replica ? rows : this.query<Row>(sql, parameters);
  }

  /** The rows that a function of the database returns, as `read`. */
  readFunction<Row extends object>(called: DatabaseFunction<Row>, ...parameters: unknown[]): Promise<Row[]> {
    return this.read<Row>(called.statement(parameters.length), parameters);
  }

  /** As `read`, restricted to the rows of a scope. */
  readInTenant<Row extends object>(scope: Scope, sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.readFrom<Row>((source, after) => rowsWithin<Row>(source, { scope, after }, sql, parameters));
  }

  /** As `readInTenant`, but always on the primary: for reads that must see the latest writes. */
  queryInTenant<Row extends object>(scope: Scope, sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.onPrimary<Row>((primary) => rowsWithin<Row>(primary, { scope }, sql, parameters));
  }

  /** The role of the connections. */
  async role(): Promise<DatabaseRole> {
    return (await this.query<DatabaseRole>(DATABASE_ROLE, []))[0];
  }

  /**
   * The position behind what the request has written on the primary.
   * @returns undefined if it has written nothing
   */
  latest(written: WritePosition): Promise<string | undefined> {
    return written.latest(() => poolOf(connected(this.primary))!);
  }

  private async readFrom<Row extends object>(
    send: (source: DataSource, after?: string) => Promise<Row[] | undefined>,
  ): Promise<Row[]> {
    return (await this.replica?.read(send)) ?? this.onPrimary(send);
  }

  /** The primary has everything. */
  private async onPrimary<Row extends object>(
    send: (primary: DataSource) => Promise<Row[] | undefined>,
  ): Promise<Row[]> {
    return (await send(this.primary))!;
  }

  /**
   * Connects the primary, and works without the replica, unless one of them is refused. While the
   * primary is unreachable its pool stays: requests already use it.
   */
  private async connect(): Promise<void> {
    if (this.stopped) return;
    try {
      if (!this.primary.isInitialized) await this.primary.initialize();
      await this.checkConnection(this.primary);
      await this.replica?.start();
    } catch (error) {
      if (this.primary.isInitialized && !isUnreachable(error))
        await withTimeout(CLOSE_MS, this.primary.destroy()).catch(() => undefined); // a transaction may be stuck
      throw error;
    }
  }

  /** @throws if it does not answer, or its role must not be used in production */
  private async checkConnection(source: DataSource): Promise<void> {
    if (this.settings.production) await refuseBypassingRole(source);
    else await rowsOf(source, 'SELECT 1', []);
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
