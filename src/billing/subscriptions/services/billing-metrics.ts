import { Injectable } from '@nestjs/common';
import { Gauge, Histogram } from 'prom-client';
import { EntityReader } from '../../../platform/database/entity-reader';
import { Metrics } from '../../../platform/observability/metrics';
import { lastRuns } from '../../sync/data/sync-run.repository';
import { SyncRun } from '../../sync/domain/sync-run';

/** Metrics of the lag behind Stripe (docs/contract.md, Health and metrics). */
@Injectable()
export class BillingMetrics {
  private readonly lag: Histogram;

  constructor(metrics: Metrics, reader: EntityReader) {
    this.lag = new Histogram({
      name: 'webhook_lag_seconds',
      help: "Seconds from the creation of an event at Stripe to its receipt, by both sides' clocks",
      buckets: [0.5, 1, 2, 5, 10, 30, 60, 300, 3600, 7200, 86_400],
      registers: [metrics],
    });
    new Gauge({
      name: 'billing_sync_last_run',
      help:
        'The last finished sync with Stripe: subscriptions seen, corrected (drift), unknown, ' +
        'and when it ended (seconds since 1970)',
      labelNames: ['what'],
      registers: [metrics],
      async collect() {
        this.reset();
        // without a database, the other metrics are still useful
        const [run] = await reader.find(SyncRun, { ...lastRuns(1), isFresh: true }).catch(() => []);
        if (!run) return;
        for (const what of ['seen', 'corrected', 'unknown'] as const) this.set({ what }, run[what]);
        this.set({ what: 'finished_at' }, run.finishedAt!.getTime() / 1000);
      },
    });
  }

  /** Records the receipt of an event. Small differences of the clocks give no negative lag. */
  received(createdAt: Date, now: Date): void {
    this.lag.observe(Math.max(0, (now.getTime() - createdAt.getTime()) / 1000));
  }
}
