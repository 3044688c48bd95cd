import type { WorkerEvents } from 'graphile-worker';
import type { PoolClient } from 'pg';
import type { JobPayload } from './jobs';

/**
 * Seconds after which a locked job that no runner works on is lost: longer than the answer to a
 * statement takes that fetches or completes a job, with the wait for a connection.
 */
const LOST_SECONDS = 8;

/** A job that a runner has locked. */
interface LockedJob {
  readonly id: string;
  readonly task: string;
}

const LOCKED = `
  SELECT j.id, t.identifier AS task FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.locked_by = ANY($1::text[]) AND j.locked_at < now() - make_interval(secs => ${LOST_SECONDS})`;
const RETURN = `
  UPDATE graphile_worker._private_jobs SET locked_by = NULL, locked_at = NULL
   WHERE id = ANY($2::bigint[]) AND locked_by = ANY($1::text[])
     AND locked_at < now() - make_interval(secs => ${LOST_SECONDS})`;

/**
 * The jobs that the runners of a worker work on. If the answer to the statement that fetches a job
 * is lost, the job is locked in the name of a runner that does not know of it.
 */
export class JobClaims {
  /** By id: when the job ended, by `performance.now()`; undefined while it runs. */
  private readonly endedAt = new Map<string, number | undefined>();

  private hasKeyedFailure = true;

  /** Notes the beginning and the end of jobs. */
  listenTo(events: WorkerEvents): void {
    events.on('job:start', ({ job }) => this.endedAt.set(job.id, undefined));
    events.on('job:error', ({ job }) => (this.hasKeyedFailure ||= (job.payload as JobPayload).isKeyed === true));
    events.on('job:complete', ({ job }) => this.endedAt.set(job.id, performance.now()));
  }

  /**
   * Whether a job with a key may have failed since the last call: another one may have replaced it.
   */
  takeKeyedFailure(): boolean {
    const { hasKeyedFailure } = this;
    this.hasKeyedFailure = false;
    return hasKeyedFailure;
  }

  /**
   * Returns jobs to the queue that are locked in these names and that nobody works on.
   * @returns their tasks
   */
  async returnLost(client: PoolClient, names: readonly string[]): Promise<string[]> {
    const { rows } = await client.query<LockedJob>(LOCKED, [names]);
    this.forgetEnded();
    const lost = rows.filter(({ id }) => !this.endedAt.has(id));
    if (lost.length > 0) await client.query(RETURN, [names, lost.map(({ id }) => id)]);
    return lost.map(({ task }) => task);
  }

  /** The statement that completes a job was answered, or the runner has ended. */
  private forgetEnded(): void {
    const until = performance.now() - LOST_SECONDS * 1000;
    for (const [id, at] of this.endedAt) if (at !== undefined && at < until) this.endedAt.delete(id);
  }
}
