import type { JobKind } from '../../src/platform/jobs/job-kinds';
import { waitUntil } from './wait-until';
import type { PostgresServer } from './postgres-server';

/**
 * A job of each kind that does no harm, however often, and what it is given. Mails are sent by
 * registering.
 */
const HARMLESS: Readonly<Record<Exclude<JobKind, 'mail'>, readonly [task: string, command: object]>> = {
  database: ['purge-mail-records', {}],
  processor: ['close-customer', { tenantId: '00000000-0000-4000-8000-000000000000', customerId: 'cus_nobody' }],
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

/** The queue of jobs, as PostgreSQL has it. */
export class JobQueue {
  constructor(private readonly postgres: PostgresServer) {}

  /** @returns the ids of so many new jobs of a kind */
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

  /** Whether a new job of a kind is done within some milliseconds. */
  async doesWork(kind: keyof typeof HARMLESS, withinMs: number): Promise<boolean> {
    const ids = await this.add(kind, 1);
    return waitUntil(
      async () =>
        (await this.count('SELECT count(*)::int AS n FROM graphile_worker._private_jobs WHERE id = ANY($1)', [ids])) ===
        0,
      withinMs,
    );
  }

  /** How many jobs are being worked. @param task as in LIKE */
  running(task: string): Promise<number> {
    return this.count(RUNNING, [task]);
  }

  /** How many have failed and wait to be tried again. */
  failed(): Promise<number> {
    return this.count('SELECT count(*)::int AS n FROM graphile_worker._private_jobs WHERE last_error IS NOT NULL', []);
  }

  /** What should have been done by now. */
  async left(): Promise<string[]> {
    return (await this.postgres.sql<{ job: string }>(LEFT)).map(({ job }) => job);
  }

  private async count(statement: string, values: unknown[]): Promise<number> {
    return (await this.postgres.sql<{ n: number }>(statement, values))[0].n;
  }
}
