import type { TaskList } from 'graphile-worker';
import type { PoolClient } from 'pg';
import type { JobCounts } from './job-counts';
import { JOB_KINDS, JOBS_AT_A_TIME, type JobKind } from './job-kinds';
import { JobKindRunner } from './job-kind-runner';
import type { Log } from '../observability/log';
import { withTimeout } from '../timeout';
import { claimWorkerName, freeJobsOf, freeOrphanedJobs } from './worker-heartbeat';
import { WorkerPool } from './worker-pool';

/**
 * Each lane listens on one, one holds their names and looks after the queue, and two fetch and
 * report for all, which takes milliseconds.
 */
const CONNECTIONS = JOB_KINDS.length + 3;
const LOOK_MS = 1000;
const RESCUE_MS = 5000;
/** How long lanes may take to be opened. */
const START_MS = 10_000;
/** How long running jobs may take to finish and to be reported once the database is lost. */
const GIVE_UP_MS = 4000;
/**
 * A job that is due for so long, while a slot of its kind was free for more than a moment, is not
 * being fetched.
 */
const NEGLECT_SECONDS = 8;
const MOMENT_MS = 3000;

const NEGLECTED = `
  SELECT EXISTS (SELECT FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
                  WHERE j.is_available AND j.run_at < now() - make_interval(secs => ${NEGLECT_SECONDS})
                    AND t.identifier = ANY($1)) AS neglected`;

/** The tasks of each kind. */
export type TasksByKind = Readonly<Record<JobKind, TaskList>>;

/**
 * One life of the worker: from a database that answers until it is stopped, or the database or the
 * library lets it down. It ends in bounded time whatever happens (decision 17): what does not end
 * by itself is left behind, with its connections closed.
 */
export class JobRunner {
  /** Settles when nothing of it works any more. */
  readonly ended: Promise<void>;
  private readonly pool: WorkerPool;
  private readonly runners: JobKindRunner[] = [];
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
    this.pool = new WorkerPool(url, CONNECTIONS);
    this.ended = new Promise((resolve) => (this.settle = resolve));
  }

  /**
   * @param gone names under which runners before this one have locked jobs
   * @throws when the database does not answer
   */
  static async start(
    url: string,
    tasks: TasksByKind,
    gone: readonly string[],
    counts: JobCounts,
    log: Log,
  ): Promise<JobRunner> {
    const runner = new JobRunner(url, counts, log);
    try {
      await withTimeout(START_MS, runner.open(tasks, gone));
      return runner;
    } catch (error) {
      await runner.stop();
      throw error;
    }
  }

  /** Under which its lanes lock jobs. */
  get names(): string[] {
    return this.runners.map(({ name }) => name);
  }

  /** Whether jobs could be worked and are not. */
  get isStalled(): boolean {
    return this.isNeglecting || this.runners.some((lane) => lane.isStalled);
  }

  /**
   * No job is begun from now on; running ones finish, as far as they do in time. Only the first who
   * asks decides how long that is.
   * @returns whether all have finished
   */
  stop(patienceMs = GIVE_UP_MS): Promise<boolean> {
    this.ending ??= Promise.resolve().then(() => this.end(patienceMs)); // lanes tell that they stop before it has begun
    return this.ending;
  }

  private async open(tasks: TasksByKind, gone: readonly string[]): Promise<void> {
    const claim = await this.pool.connect();
    this.claim = claim.once('error', () => void this.stop()).once('end', () => void this.stop());
    await freeJobsOf(claim, gone);
    const surroundings = { pool: this.pool, counts: this.counts, log: this.log, onLost: () => void this.stop() };
    for (const kind of JOB_KINDS) {
      if (Object.keys(tasks[kind]).length === 0) continue;
      const lane = await JobKindRunner.open(tasks[kind], JOBS_AT_A_TIME[kind], surroundings);
      this.runners.push(lane);
      if (this.ending) return void lane.stop(); // too late
      await claimWorkerName(claim, lane.name);
    }
    const rescue = () => void this.rescue(claim).catch(() => this.stop());
    this.timers.push(
      setInterval(() => this.look(), LOOK_MS),
      setInterval(rescue, RESCUE_MS),
    );
  }

  private look(): void {
    if (!this.isStalled) return;
    this.log.warn('no job is being worked; the job worker is replaced');
    void this.stop();
  }

  /** Also tells whether the connection that holds the names is alive. */
  private async rescue(claim: PoolClient): Promise<void> {
    await freeOrphanedJobs(claim, this.names);
    const free = this.runners.filter((lane) => lane.freeForMs > MOMENT_MS).flatMap(({ tasks }) => Object.keys(tasks));
    const { rows } = await claim.query<{ neglected: boolean }>(NEGLECTED, [free]);
    this.isNeglecting = rows[0].neglected;
  }

  private async end(patienceMs: number): Promise<boolean> {
    this.timers.forEach(clearInterval);
    const finished = await withTimeout(patienceMs, Promise.all(this.runners.map((lane) => lane.stop()))).then(
      () => true,
      () => false,
    );
    for (const lane of this.runners) lane.abandon();
    this.claim?.release(true); // not reused: with the connection the names are free
    await this.pool.close();
    this.settle();
    return finished;
  }
}
