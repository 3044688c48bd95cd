import type { TaskList } from 'graphile-worker';
import type { PoolClient } from 'pg';
import type { JobCounts } from './job-counts';
import { JobClaims } from './job-claims';
import { JOB_KINDS, JOBS_AT_A_TIME, type JobKind } from './job-kinds';
import { JobKindRunner } from './job-kind-runner';
import type { Log } from '../observability/log';
import { withTimeout } from '../timeout';
import { claimWorkerName, forgetReplacedJobs, freeJobsOf, freeOrphanedJobs } from './worker-name-lock';
import { WorkerConnections } from './worker-connections';

/**
 * Each kind's runner listens on one connection, one holds the worker's names and maintains the
 * queue, and two fetch and complete jobs for all kinds.
 */
const CONNECTIONS = JOB_KINDS.length + 3;
const CHECK_MS = 1000;
const RESCUE_MS = 5000;
/** Milliseconds that runners may take to start. */
const START_MS = 10_000;
/**
 * Milliseconds that running jobs may take to finish and be completed after the database was lost.
 */
const GIVE_UP_MS = 4000;
/** A job that has been due for this long while a slot of its kind was free is not being fetched. */
const NEGLECT_SECONDS = 8;
const MOMENT_MS = 3000;

const NEGLECTED = `
  SELECT EXISTS (SELECT FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
                  WHERE j.is_available AND j.run_at < now() - make_interval(secs => ${NEGLECT_SECONDS})
                    AND t.identifier = ANY($1)) AS neglected`;

/** The tasks of each kind. */
export type TasksByKind = Readonly<Record<JobKind, TaskList>>;

/**
 * One lifetime of the worker: from a database that responds until the worker is stopped or the
 * database or the library fails. It ends in bounded time (decision 17): what does not stop in time
 * is abandoned and its connections are closed.
 */
export class WorkerLifetime {
  /** Settles when no part of it is running. */
  readonly ended: Promise<void>;
  private readonly pool: WorkerConnections;
  private readonly runners: JobKindRunner[] = [];
  private readonly claims = new JobClaims();
  private readonly timers: NodeJS.Timeout[] = [];
  private claim?: PoolClient;
  private ending?: Promise<boolean>;
  private isNeglecting = false;
  private settle!: () => void;

  private constructor(
    url: string,
    private readonly counts: JobCounts,
    private readonly log: Log,
  ) {
    this.pool = new WorkerConnections(url, CONNECTIONS);
    this.ended = new Promise((resolve) => (this.settle = resolve));
  }

  /**
   * @param deadWorkers names under which earlier runners locked jobs
   * @throws when the database does not respond
   */
  static async start(
    url: string,
    tasks: TasksByKind,
    deadWorkers: readonly string[],
    counts: JobCounts,
    log: Log,
  ): Promise<WorkerLifetime> {
    const lifetime = new WorkerLifetime(url, counts, log);
    try {
      await withTimeout(START_MS, lifetime.open(tasks, deadWorkers));
      return lifetime;
    } catch (error) {
      await lifetime.stop();
      throw error;
    }
  }

  /** The names under which its runners lock jobs. */
  get names(): string[] {
    return this.runners.map(({ name }) => name);
  }

  /** Whether due jobs are not being run although slots are free. */
  get isStalled(): boolean {
    return this.isNeglecting || this.runners.some((runner) => runner.isStalled);
  }

  /**
   * Starts no more jobs; running jobs may finish in time. Only the first call sets the time.
   * @returns whether all have finished
   */
  stop(patienceMs = GIVE_UP_MS): Promise<boolean> {
    // a runner can report its end before it has started
    this.ending ??= Promise.resolve().then(() => this.end(patienceMs));
    return this.ending;
  }

  private async open(tasks: TasksByKind, deadWorkers: readonly string[]): Promise<void> {
    const claim = await this.pool.connect();
    this.claim = claim
      .once('error', () => {
        void this.stop();
      })
      .once('end', () => {
        void this.stop();
      });
    await freeJobsOf(claim, deadWorkers);
    const surroundings = {
      pool: this.pool,
      counts: this.counts,
      claims: this.claims,
      log: this.log,
      onLost: () => {
        void this.stop();
      },
    };
    for (const kind of JOB_KINDS) {
      if (Object.keys(tasks[kind]).length === 0) continue;
      const runner = await JobKindRunner.open(tasks[kind], JOBS_AT_A_TIME[kind], surroundings);
      this.runners.push(runner);
      if (this.ending) {
        void runner.stop();
        return;
      } // too late
      await claimWorkerName(claim, runner.name);
    }
    const rescue = () => {
      void this.rescue(claim).catch(() => this.stop());
    };
    this.timers.push(
      setInterval(() => this.checkProgress(), CHECK_MS),
      setInterval(rescue, RESCUE_MS),
    );
  }

  private checkProgress(): void {
    if (!this.isStalled) return;
    this.log.warn({ event: 'worker.stalled' }, 'Due jobs are not being run; replacing the job worker');
    void this.stop();
  }

  /** Also detects when the connection that holds the names is lost. */
  private async rescue(claim: PoolClient): Promise<void> {
    const free = this.runners
      .filter((runner) => runner.freeForMs > MOMENT_MS)
      .flatMap(({ tasks }) => Object.keys(tasks));
    const { rows } = await claim.query<{ neglected: boolean }>(NEGLECTED, [free]);
    this.isNeglecting = rows[0].neglected;
    await freeOrphanedJobs(claim, this.names); // after the check: they have been due for a while
    await this.returnLostJobs(claim);
  }

  private async returnLostJobs(claim: PoolClient): Promise<void> {
    const tasks = await this.claims.returnLost(claim, this.names);
    if (tasks.length > 0 || this.claims.takeKeyedFailure()) await forgetReplacedJobs(claim);
    if (tasks.length === 0) return;
    this.log.warn({ event: 'worker.jobs_returned', tasks }, 'Jobs were locked by nobody who ran them; they run again');
  }

  private async end(patienceMs: number): Promise<boolean> {
    this.timers.forEach(clearInterval);
    const finished = await withTimeout(patienceMs, Promise.all(this.runners.map((runner) => runner.stop()))).then(
      () => true,
      () => false,
    );
    for (const runner of this.runners) runner.abandon();
    this.claim?.release(true); // not reused: closing the connection releases the names
    await this.pool.close();
    this.settle();
    return finished;
  }
}
