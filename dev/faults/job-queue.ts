import type { JobKind } from '../../src/platform/jobs/job-kinds';
import { waitUntil } from './wait-until';
import type { PostgresServer } from './postgres-server';

/**
 * A harmless job of each kind, with its command. There is none for mails, which registrations
 * cause.
 */
const HARMLESS: Readonly<Record<Exclude<JobKind, 'mail'>, readonly [task: string, command: object]>> = {
  database: ['purge-mail-records', {}],
  processor: ['close-customer', { tenantId: '00000000-0000-4000-8000-000000000000', customerId: 'cus_unknown' }],
};

const RUNNING = `
  SELECT count(*)::int AS n FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.locked_at IS NOT NULL AND t.identifier LIKE $1`;
const LEFT = `
  SELECT concat_ws(' ', t.identifier, 'attempts', j.attempts, 'in', (j.run_at - now())::interval(0), 'locked',
    now() - j.locked_at, j.last_error) AS job
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE j.attempts > 0 OR j.run_at <= now()`;

/** The job queue in PostgreSQL. */
export class JobQueue {
  constructor(private readonly postgres: PostgresServer) {}

  /** Adds jobs of a kind. @returns their ids */
  async add(kind: keyof typeof HARMLESS, count: number): Promise<string[]> {
    const [task, command] = HARMLESS[kind];
    const add = `SELECT (graphile_worker.add_job($1, $2::json)).id FROM generate_series(1, $3)`;
    const rows = await this.postgres.sql<{ id: string }>(add, [
      task,
      JSON.stringify({ command, requestId: 'faults' }),
      count,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Whether a new job of a kind is done within `withinMs`. */
  async doesWork(kind: keyof typeof HARMLESS, withinMs: number): Promise<boolean> {
    const ids = await this.add(kind, 1);
    return waitUntil(
      async () =>
        (await this.count('SELECT count(*)::int AS n FROM graphile_worker._private_jobs WHERE id = ANY($1)', [ids])) ===
        0,
      withinMs,
    );
  }

  /** Number of running jobs. @param task a LIKE pattern */
  running(task: string): Promise<number> {
    return this.count(RUNNING, [task]);
  }

  /** Number of jobs that failed and wait for a retry. */
  failed(): Promise<number> {
    return this.count('SELECT count(*)::int AS n FROM graphile_worker._private_jobs WHERE last_error IS NOT NULL', []);
  }

  /** Jobs that are overdue or have failed. */
  async left(): Promise<string[]> {
    return (await this.postgres.sql<{ job: string }>(LEFT)).map(({ job }) => job);
  }

  private async count(statement: string, values: unknown[]): Promise<number> {
    return (await this.postgres.sql<{ n: number }>(statement, values))[0].n;
  }
}
