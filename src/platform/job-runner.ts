import { EventEmitter } from 'node:events';
import { Logger as WorkerLogger, run, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Pool, PoolClient } from 'pg';
import type { JobCounts } from './job-counts';
import type { Log } from './log';
import { claimWorkerName, freeOrphanedJobs } from './worker-liveness';
import { workerPool } from './worker-pool';

/** Jobs at a time. Each may use a connection of the runner's own to report; one more listens, and one holds the worker's name. */
const CONCURRENCY = 4;
const CONNECTIONS = CONCURRENCY + 2;
const RESCUE_MS = 5000;
/** How long running jobs may take to finish when the service stops (contract section 7). */
const STOP_MS = 30_000;
/** An attempt that fails is tried again, and its last one is for the operator to see: no reason to wake anybody. */
const LEVEL = { error: 'warn', warning: 'warn', info: 'debug', debug: 'debug' } as const;

/**
 * Without a batch, even of no delay, graphile-worker 0.17 does not wait for its own statement that a job is done: when that fails, nobody catches it,
 * and the process would end. So the runner ends, another begins, and the job is done again.
 */
const COMPLETE_SAFELY = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

/** One life of graphile-worker's runner: from a database that answers until it is stopped, or the database is lost. */
export class JobRunner {
  /** Settles when nothing of it is left. */
  readonly ended: Promise<void>;
  private readonly rescue: NodeJS.Timeout;
  private claim?: PoolClient;

  private constructor(
    private readonly runner: Runner,
    private readonly pool: Pool,
  ) {
    this.rescue = setInterval(() => void freeOrphanedJobs(pool).catch(() => undefined), RESCUE_MS);
    this.ended = runner.promise.finally(() => this.cleanUp());
    this.ended.catch(() => undefined); // whoever waits for it hears of it
  }

  /** @throws when the database does not answer */
  static async start(url: string, taskList: TaskList, counts: JobCounts, log: Log): Promise<JobRunner> {
    const pool = workerPool(url, CONNECTIONS);
    const events: WorkerEvents = new EventEmitter();
    const name = new Promise<string>((resolve) => events.once('pool:create', ({ workerPool: { id } }) => resolve(id)));
    counts.listenTo(events);
    let started: JobRunner | undefined;
    try {
      const runner = await run({
        pgPool: pool,
        events,
        taskList,
        parsedCronItems: [],
        preset: { worker: COMPLETE_SAFELY },
        concurrency: CONCURRENCY,
        noHandleSignals: true,
        gracefulShutdownAbortTimeout: STOP_MS,
        logger: new WorkerLogger(() => (level, message) => log[LEVEL[level]](message)),
      });
      started = new JobRunner(runner, pool);
      started.claim = await claimWorkerName(pool, await name);
      started.stopWhenLost(events, started.claim);
      return started;
    } catch (error) {
      await (started ? started.stop() : pool.end());
      throw error;
    }
  }

  /** Running jobs finish; stopping twice is no failure. */
  async stop(): Promise<void> {
    await this.runner.stop().catch(() => undefined);
  }

  /**
   * graphile-worker 0.17 keeps the failure of its first look at the task names for ever, and its pauses grow to minutes: a runner that cannot
   * fetch jobs, or has lost its name, is ended, so that a fresh one begins as soon as the database answers.
   */
  private stopWhenLost(events: WorkerEvents, claim: EventEmitter): void {
    let failures = 0;
    events.on('worker:getJob:empty', () => (failures = 0)).on('job:start', () => (failures = 0));
    events.on('worker:getJob:error', () => {
      if (++failures === CONCURRENCY) void this.stop();
    });
    claim.once('error', () => void this.stop());
  }

  /** The connection that holds the name is closed, not reused: with it the name is free. */
  private async cleanUp(): Promise<void> {
    clearInterval(this.rescue);
    this.claim?.release(true);
    await this.pool.end();
  }
}
