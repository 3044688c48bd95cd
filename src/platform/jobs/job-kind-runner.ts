import { EventEmitter } from 'node:events';
import { Logger as WorkerLogger, run, type Runner, type Task, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import type { JobClaims } from './job-claims';
import type { JobCounts } from './job-counts';
import type { Log } from '../observability/log';
import { withTimeout } from '../timeout';

/**
 * Milliseconds after which a runner with a free slot has stalled if none of its queries for jobs
 * was answered. A runner without a job sends one every 2 seconds.
 */
const STALL_MS = 8000;
/** Milliseconds after which an attempt at a job counts as failed and its slot is released. */
const LONGEST_JOB_MS = 5 * 60_000;
/**
 * A failed attempt is retried, and operators see the last one, so neither is logged as an error.
 */
const LEVEL = { error: 'warn', warning: 'warn', info: 'debug', debug: 'debug' } as const;

/**
 * Without a batch, even without delay, graphile-worker 0.17 does not await its own statement that
 * completes a job: a failure of it would be an unhandled rejection. With a batch the runner ends,
 * another one starts, and the job is repeated.
 */
const COMPLETE_SAFELY = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

/** What a runner needs from the worker. */
interface RunnerOptions {
  readonly pool: Pool;
  readonly counts: JobCounts;
  readonly claims: JobClaims;
  readonly log: Log;
  /** Called when the library stops by itself. It does not always finish stopping. */
  readonly onLost: () => void;
}

/**
 * Runs the jobs of one kind with a runner of graphile-worker, and watches whether it makes
 * progress.
 */
export class JobKindRunner {
  /** The name under which the runner locks jobs. */
  name = '';
  private busy = 0;
  /** When a slot became free or a query for jobs was answered last. */
  private lastActivity = performance.now();
  /** Since when a slot has been free without interruption. */
  private freeSince = performance.now();
  private abandoned = false;
  private runner!: Runner;

  private constructor(
    private readonly concurrency: number,
    readonly tasks: TaskList,
  ) {}

  /** @throws when the database does not respond */
  static async open(
    tasks: TaskList,
    concurrency: number,
    { pool, counts, claims, log, onLost }: RunnerOptions,
  ): Promise<JobKindRunner> {
    const opened = new JobKindRunner(concurrency, tasks);
    const events: WorkerEvents = new EventEmitter();
    const noteActivity = () => (opened.lastActivity = performance.now());
    events.once('pool:create', ({ workerPool: { id } }) => (opened.name = id));
    events.on('worker:getJob:empty', noteActivity).on('job:start', noteActivity);
    events.once('pool:gracefulShutdown', onLost).once('pool:forcefulShutdown', () => opened.abandon());
    counts.listenTo(events);
    claims.listenTo(events);
    opened.runner = await run({
      pgPool: pool,
      events,
      taskList: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, opened.watched(task!)])),
      parsedCronItems: [],
      preset: { worker: COMPLETE_SAFELY },
      concurrency,
      noHandleSignals: true,
      logger: new WorkerLogger(() => (level, message) => log[LEVEL[level]]({ event: 'worker.message' }, message)),
    });
    opened.runner.promise.catch(() => undefined); // onLost reports an unexpected end
    return opened;
  }

  /**
   * Milliseconds for which a slot has been free without interruption; 0 while all slots are taken.
   */
  get freeForMs(): number {
    return this.busy < this.concurrency ? performance.now() - this.freeSince : 0;
  }

  /** Whether a slot is free and the runner does not query for jobs. */
  get isStalled(): boolean {
    return this.freeForMs > STALL_MS && performance.now() - this.lastActivity > STALL_MS;
  }

  /**
   * Starts no more jobs.
   * @returns once the running jobs have finished, which may be never
   */
  async stop(): Promise<void> {
    await this.runner.stop().catch(() => undefined); // already stopped
    await this.runner.promise.catch(() => undefined);
  }

  /**
   * Keeps the results of running jobs from graphile-worker, where they would cause an unhandled
   * rejection.
   */
  abandon(): void {
    this.abandoned = true;
  }

  private watched(task: Task): Task {
    return async (payload, helpers) => {
      this.busy++;
      try {
        await withTimeout(LONGEST_JOB_MS, Promise.resolve(task(payload, helpers)));
      } finally {
        if (this.busy-- === this.concurrency) this.freeSince = performance.now();
        this.lastActivity = performance.now();
        if (this.abandoned) await new Promise(() => undefined);
      }
    };
  }
}
