import { Counter, Gauge } from 'prom-client';
import type { DataSource } from 'typeorm';
import type { Log } from '../observability/log';
import type { Metrics } from '../observability/metrics';
import { currentContext } from '../observability/request-context';
import { isRecoveryConflict, isUnreachable } from './database-errors';

/** Milliseconds between attempts to reach a replica that has been lost. */
const RETRY_MS = 1000;

/** Why a query was sent to the primary. */
type Reason = 'away' | 'behind' | 'conflict';

/**
 * Sends a query to the replica.
 * @param after a position that must have been replayed before
 * @returns undefined: it has not been replayed
 */
type Send<T> = (source: DataSource, after?: string) => Promise<T | undefined>;

/**
 * The read replica (docs/decisions/0040-read-your-writes.md). A lost replica is not asked again
 * until a check once a second succeeds, so that no request waits for it.
 */
export class ReadReplica {
  private isUp = false;
  private retry?: NodeJS.Timeout;
  private stopped = false;
  private readonly fallbacks: Counter<'reason'>;

  /** @param check throws if the role of the replica must not be used */
  constructor(
    private readonly source: DataSource,
    private readonly check: (source: DataSource) => Promise<void>,
    metrics: Metrics,
    private readonly log: Log,
  ) {
    const isUp = () => this.isUp;
    new Gauge({
      name: 'database_replica_up',
      help: 'Whether queries go to the read replica (1) or all to the primary (0)',
      registers: [metrics],
      collect() {
        this.set(isUp() ? 1 : 0);
      },
    });
    this.fallbacks = new Counter({
      name: 'database_replica_fallbacks_total',
      help: 'Queries that were sent to the primary instead of the replica, by reason',
      labelNames: ['reason'],
      registers: [metrics],
    });
  }

  /**
   * Connects. Without an answer the replica is not used, and tried again.
   * @throws if it is refused
   */
  async start(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      this.isUp = true; // so that the loss is logged
      this.lost(error);
    }
  }

  /** Closes its connections. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    if (this.source.isInitialized) await this.source.destroy();
  }

  /** The result of a query; undefined: the primary must be asked. */
  async read<T>(send: Send<T>): Promise<T | undefined> {
    const { readAfter, written } = currentContext();
    if (written) return undefined; // a command reads what it has written
    if (!this.isUp) return this.fallBack('away');
    try {
      return (await send(this.source, readAfter)) ?? this.fallBack('behind');
    } catch (error) {
      if (isRecoveryConflict(error)) return this.fallBack('conflict');
      if (!isUnreachable(error)) throw error;
      this.lost(error);
      return this.fallBack('away');
    }
  }

  private fallBack(reason: Reason): undefined {
    this.fallbacks.inc({ reason });
  }

  private async connect(): Promise<void> {
    if (!this.source.isInitialized) await this.source.initialize();
    await this.check(this.source);
    this.isUp = true;
  }

  private lost(error: unknown): void {
    if (!this.isUp) return; // already handled
    this.isUp = false;
    this.log.warn({ event: 'database.replica_lost', err: error }, 'The replica does not respond; using the primary');
    this.retryLater();
  }

  private retryLater(): void {
    if (this.stopped) return;
    this.retry = setTimeout(() => {
      void this.connect().then(
        () => this.log.info({ event: 'database.replica_recovered' }, 'The replica responds again'),
        (error: unknown) => {
          if (!isUnreachable(error))
            this.log.error({ event: 'database.replica_refused', err: error }, 'The replica cannot be used; retrying');
          this.retryLater();
        },
      );
    }, RETRY_MS);
  }
}
