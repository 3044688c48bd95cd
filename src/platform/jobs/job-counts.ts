import { Injectable } from '@nestjs/common';
import type { WorkerEvents } from 'graphile-worker';
import { Clock, MINUTE } from '../clock';
import { Database } from '../database/database';
import { Log } from '../observability/log';

const FLUSH_MS = 10_000;

/** Finished attempts of a task in a minute. */
interface JobCount {
  readonly minute: string;
  readonly task: string;
  done: number;
  failed: number;
}

/** Rows are updated in one order, which prevents deadlocks between instances. */
const ADD = `
  INSERT INTO job_counts AS c (minute, task, done, failed)
  SELECT minute, task, done, failed
    FROM jsonb_to_recordset($1::jsonb) AS n (minute timestamptz, task text, done integer, failed integer)
      ORDER BY minute, task
  ON CONFLICT (minute, task) DO UPDATE SET done = c.done + excluded.done, failed = c.failed + excluded.failed`;

/**
 * Counts finished attempts by minute and task for operators, because finished jobs leave no row in
 * the queue. Counts are collected in memory and added to the shared table every 10 seconds; a
 * killed process loses what it has not added.
 */
@Injectable()
export class JobCounts {
  private counts = new Map<string, JobCount>();
  private timer?: NodeJS.Timeout;
  /**
   * The last flush. Flushes run one after the other, so that the last one retries what failed
   * before.
   */
  private flushing = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Starts flushing. */
  begin(): void {
    this.timer = setInterval(() => {
      void this.flush();
    }, FLUSH_MS);
  }

  /** Flushes for the last time, after the last job. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Counts the events of a worker. */
  listenTo(events: WorkerEvents): void {
    events.on('job:success', ({ job }) => this.add(this.minute(), job.task_identifier, 1, 0));
    events.on('job:error', ({ job }) => this.add(this.minute(), job.task_identifier, 0, 1));
  }

  /**
   * Adds the counts to the table. After an error they are kept for the next flush, and no job
   * fails.
   */
  flush(): Promise<void> {
    this.flushing = this.flushing.then(() => this.flushNow());
    return this.flushing;
  }

  private async flushNow(): Promise<void> {
    const counted = [...this.counts.values()];
    if (counted.length === 0) return;
    this.counts = new Map();
    try {
      await this.database.query(ADD, [JSON.stringify(counted)]);
    } catch (error) {
      for (const { minute, task, done, failed } of counted) this.add(minute, task, done, failed);
      this.log.warn({ event: 'job_counts.flush_failed', err: error }, 'Job counts could not be stored; retrying');
    }
  }

  private minute(): string {
    return new Date(Math.floor(this.clock.nowInSeconds() / MINUTE) * MINUTE * 1000).toISOString();
  }

  private add(minute: string, task: string, done: number, failed: number): void {
    const key = `${minute} ${task}`;
    const count = this.counts.get(key) ?? { minute, task, done: 0, failed: 0 };
    count.done += done;
    count.failed += failed;
    this.counts.set(key, count);
  }
}
