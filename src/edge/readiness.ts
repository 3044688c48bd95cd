import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../platform/database';
import { EXPECTED_MIGRATIONS } from '../platform/expected-migrations';
import { JobWorker } from '../platform/job-worker';
import { Log } from '../platform/log';
import { Lifecycle } from './lifecycle';

/** Each part that readiness depends on, and how it is. */
export interface ReadinessView {
  readonly database: 'up' | 'down';
  readonly migrations: 'applied' | 'missing' | 'unknown';
  readonly worker: 'off' | 'running' | 'starting';
  readonly stopping: boolean;
}

/** Whether the service may be sent requests (contract section 7). */
@Injectable()
export class Readiness {
  private migrated = false;

  constructor(
    private readonly database: Database,
    private readonly worker: JobWorker,
    private readonly lifecycle: Lifecycle,
    @Inject(Log) private readonly log: Log,
  ) {}

  async look(): Promise<{ ready: boolean; view: ReadinessView }> {
    const database = await this.lookAtDatabase();
    const view: ReadinessView = { ...database, worker: this.worker.state, stopping: this.lifecycle.stopping };
    const ready = view.database === 'up' && view.migrations === 'applied' && view.worker !== 'starting' && !view.stopping;
    return { ready, view };
  }

  /** Asks which migrations are missing until none is; then only whether the database answers. */
  private async lookAtDatabase(): Promise<Pick<ReadinessView, 'database' | 'migrations'>> {
    try {
      if (this.migrated) await this.database.query('SELECT 1', []);
      else this.migrated = await this.nothingMissing();
      return { database: 'up', migrations: this.migrated ? 'applied' : 'missing' };
    } catch (error) {
      this.log.warn({ err: error }, 'not ready: the database does not answer');
      return { database: 'down', migrations: this.migrated ? 'applied' : 'unknown' };
    }
  }

  private async nothingMissing(): Promise<boolean> {
    const [{ table }] = await this.database.query<{ table: string | null }>(`SELECT to_regclass('migrations') AS table`, []);
    if (!table) return false;
    const [{ applied }] = await this.database.query<{ applied: number }>(
      'SELECT count(*)::int AS applied FROM migrations WHERE timestamp = ANY($1)',
      [EXPECTED_MIGRATIONS],
    );
    return applied === EXPECTED_MIGRATIONS.length;
  }
}
