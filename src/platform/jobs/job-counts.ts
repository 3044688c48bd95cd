import { Injectable } from '@nestjs/common';
import type { WorkerEvents } from 'graphile-worker';
import { Clock, MINUTE } from '../clock';
import { Database } from '../database/database';
import { Log } from '../observability/log';

const FLUSH_MS = 10_000;

/** What was finished of a task in a minute. */
interface JobCount {
  readonly minute: string;
  readonly task: string;
  done: number;
  failed: number;
}

/** In one order, so that two instances that add to the same rows never wait in a circle. */
const ADD = `
  INSERT INTO job_counts AS c (minute, task, done, failed)
  SELECT minute, task, done, failed
    FROM jsonb_to_recordset($1::jsonb) AS n (minute timestamptz, task text, done integer, failed integer)
      ORDER BY minute, task
  ON CONFLICT (minute, task) DO UPDATE SET done = c.done + excluded.done, failed = c.failed + excluded.failed`;

/**
 * How many attempts at jobs were finished, by minute and task, for operators: done jobs leave no
 * row in the queue. Counted here and added to the table of all instances every 10 seconds; what a
 * killed process had not yet added is lost.
 */
@Injectable()
export class JobCounts {
  private counts = new Map<string, JobCount>();
  private timer?: NodeJS.Timeout;
  /**
   * The flush that runs, or did last: one after the other, so that what fails at the end is tried
   * once more.
   */
  private flushing = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Flushes from now on. */
  begin(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS);
  }

  /** For the last time, once no job is worked any more. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Counts what a worker tells of. */
  listenTo(events: WorkerEvents): void {
    events.on('job:success', ({ job }) => this.add(this.minute(), job.task_identifier, 1, 0));
    events.on('job:error', ({ job }) => this.add(this.minute(), job.task_identifier, 0, 1));
  }

  /**
   * Adds to the table what was counted. Where that fails it is kept for the next time: nobody's job
   * fails of it.
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
      this.log.warn({ err: error }, 'what the workers have done could not be written down; it is tried again');
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
