import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { isForbidden, isUndefinedTable } from '../../platform/database/database-errors';
import { EXPECTED_MIGRATIONS } from '../../platform/database/expected-migrations';
import { JobWorker, type WorkerState } from '../../platform/jobs/job-worker';
import { Log } from '../../platform/observability/log';
import { RequestDrain } from '../requests/request-drain';

/** The parts that readiness depends on. */
export interface ReadinessView {
  readonly database: 'up' | 'down';
  readonly migrations: 'applied' | 'missing' | 'unknown';
  readonly worker: WorkerState;
  readonly stopping: boolean;
}

/** The state of the database at the last check. */
type DatabaseView = Pick<ReadinessView, 'database' | 'migrations'>;

/** Milliseconds for which a check of the database is cached. */
const CACHE_MS = 1000;

/** Whether the service can take requests (docs/contract.md, Health and metrics). */
@Injectable()
export class Readiness {
  /** Whether the last check that reached the database found all migrations. */
  private wereMigrated = false;
  private lastCheck?: { readonly at: number; readonly view: Promise<DatabaseView> };

  constructor(
    private readonly database: Database,
    private readonly worker: JobWorker,
    private readonly requestDrain: RequestDrain,
    @Inject(Log) private readonly log: Log,
  ) {}

  async check(): Promise<{ ready: boolean; view: ReadinessView }> {
    const database = await this.cachedDatabaseState();
    const view: ReadinessView = { ...database, worker: this.worker.state, stopping: this.requestDrain.stopping };
    const isWorking = view.worker === 'running' || view.worker === 'off';
    return { ready: view.database === 'up' && view.migrations === 'applied' && isWorking && !view.stopping, view };
  }

  private cachedDatabaseState(): Promise<DatabaseView> {
    const now = performance.now();
    if (!this.lastCheck || now - this.lastCheck.at >= CACHE_MS)
      this.lastCheck = { at: now, view: this.checkDatabase() };
    return this.lastCheck.view;
  }

  private async checkDatabase(): Promise<DatabaseView> {
    try {
      return { database: 'up', migrations: (await this.areMigrationsApplied()) ? 'applied' : 'missing' };
    } catch (error) {
      this.log.warn({ event: 'service.not_ready', err: error }, 'Not ready: the database does not respond');
      return { database: 'down', migrations: this.wereMigrated ? 'applied' : 'unknown' };
    }
  }

  private async areMigrationsApplied(): Promise<boolean> {
    const sql = 'SELECT count(*)::int AS applied FROM migrations WHERE timestamp = ANY($1)';
    const [row] = await this.database.query<{ applied: number }>(sql, [EXPECTED_MIGRATIONS]).catch((error: unknown) => {
      if (isUndefinedTable(error) || isForbidden(error)) return []; // migrating also grants the role its privileges
      throw error;
    });
    this.wereMigrated = row?.applied === EXPECTED_MIGRATIONS.length;
    return this.wereMigrated;
  }
}
