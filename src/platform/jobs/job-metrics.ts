import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Database } from '../database/database';
import { jobsByState, readJobQueues } from './job-queues';
import { Metrics } from '../observability/metrics';

/**
 * jobs_finished_total by task and outcome, jobs_waiting by state (read on demand) and
 * job_worker_replacements_total.
 */
@Injectable()
export class JobMetrics {
  private readonly counter: Counter<'task' | 'outcome'>;
  private readonly replacements: Counter;

  constructor(metrics: Metrics, database: Database) {
    this.counter = new Counter({
      name: 'jobs_finished_total',
      help: 'Attempts at a job, by outcome',
      labelNames: ['task', 'outcome'],
      registers: [metrics],
    });
    this.replacements = new Counter({
      name: 'job_worker_replacements_total',
      help: 'How often the job worker had to be started again: the database was lost, or the worker had stalled',
      registers: [metrics],
    });
    new Gauge({
      name: 'jobs_waiting',
      help: 'Jobs in the queue: not tried yet (waiting), to be retried (retrying), running, out of attempts (dead)',
      labelNames: ['state'],
      registers: [metrics],
      async collect() {
        const queues = await readJobQueues(database).catch(() => undefined);
        this.reset();
        // without a database there is no value, and the other metrics are still served
        if (!queues) return;
        for (const [state, jobs] of Object.entries(jobsByState(queues))) this.set({ state }, jobs);
      },
    });
  }

  replaced(): void {
    this.replacements.inc();
  }

  succeeded(task: string): void {
    this.counter.inc({ task, outcome: 'done' });
  }

  failed(task: string): void {
    this.counter.inc({ task, outcome: 'failed' });
  }
}
