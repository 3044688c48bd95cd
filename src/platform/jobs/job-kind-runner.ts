import { EventEmitter } from 'node:events';
import { Logger as WorkerLogger, run, type Runner, type Task, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import type { JobCounts } from './job-counts';
import type { Log } from '../observability/log';
import { withTimeout } from '../timeout';

/**
 * A runner asks for a job every 2 seconds when it has none: one with a free slot that has got no
 * answer for so long does not work any more.
 */
const STALL_MS = 8000;
/** No attempt at a job takes longer. One that does has failed, and holds its slot no more. */
const LONGEST_JOB_MS = 5 * 60_000;
/**
 * An attempt that fails is tried again, and its last one is for the operator to see: no reason to
 * wake anybody.
 */
const LEVEL = { error: 'warn', warning: 'warn', info: 'debug', debug: 'debug' } as const;

/**
 * Without a batch, even of no delay, graphile-worker 0.17 does not wait for its own statement that
 * a job is done: when that fails, nobody catches it, and the process would end. So the runner ends,
 * another begins, and the job is done again.
 */
const COMPLETE_SAFELY = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

/** What a lane needs of who opens it. */
interface Surroundings {
  readonly pool: Pool;
  readonly counts: JobCounts;
  readonly log: Log;
  /** The library gives up by itself, which it does not always bring to an end. */
  readonly onLost: () => void;
}

/**
 * The jobs of one kind, worked so many at a time by a runner of graphile-worker, and an eye on
 * whether it does.
 */
export class JobKindRunner {
  /** Under which the lane locks jobs. */
  name = '';
  private busy = 0;
  /** When a slot became free, or a question for jobs was answered, the last time. */
  private lastSign = performance.now();
  /** Since when a slot is free without a break. */
  private freeSince = performance.now();
  private abandoned = false;
  private runner!: Runner;

  private constructor(
    private readonly atATime: number,
    readonly tasks: TaskList,
  ) {}

  /** @throws when the database does not answer */
  static async open(
    tasks: TaskList,
    atATime: number,
    { pool, counts, log, onLost }: Surroundings,
  ): Promise<JobKindRunner> {
    const lane = new JobKindRunner(atATime, tasks);
    const events: WorkerEvents = new EventEmitter();
    const sign = () => (lane.lastSign = performance.now());
    events.once('pool:create', ({ workerPool: { id } }) => (lane.name = id));
    events.on('worker:getJob:empty', sign).on('job:start', sign);
    events.once('pool:gracefulShutdown', onLost).once('pool:forcefulShutdown', () => lane.abandon());
    counts.listenTo(events);
    lane.runner = await run({
      pgPool: pool,
      events,
      taskList: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, lane.watched(task!)])),
      parsedCronItems: [],
      preset: { worker: COMPLETE_SAFELY },
      concurrency: atATime,
      noHandleSignals: true,
      logger: new WorkerLogger(() => (level, message) => log[LEVEL[level]](message)),
    });
    lane.runner.promise.catch(() => undefined); // its end is heard of by onLost, if nobody asked for it
    return lane;
  }

  /**
   * For how many milliseconds a job could have been begun without a break; 0 while all slots are
   * taken.
   */
  get freeForMs(): number {
    return this.busy < this.atATime ? performance.now() - this.freeSince : 0;
  }

  /** Whether it could work and does not ask for jobs. */
  get isStalled(): boolean {
    return this.freeForMs > STALL_MS && performance.now() - this.lastSign > STALL_MS;
  }

  /**
   * No job is begun from now on.
   * @returns once the running ones have finished, which may be never
   */
  async stop(): Promise<void> {
    await this.runner.stop().catch(() => undefined); // stopped already
    await this.runner.promise.catch(() => undefined);
  }

  /**
   * What its jobs come to is nothing that graphile-worker may hear of any more: it would end the
   * process (an unhandled rejection).
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
        if (this.busy-- === this.atATime) this.freeSince = performance.now();
        this.lastSign = performance.now();
        if (this.abandoned) await new Promise(() => undefined);
      }
    };
  }
}
