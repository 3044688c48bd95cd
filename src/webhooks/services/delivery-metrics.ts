import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Metrics } from '../../platform/observability/metrics';
import { ok } from '../../platform/result';
import { WebhookDeliveryRepository } from '../data/webhook-delivery.repository';

/** The values of the gauges; undefined without a database. */
type Waiting = { readonly count: number; readonly lag: number } | undefined;

/**
 * webhook_deliveries_waiting and webhook_delivery_lag_seconds (docs/operations.md, Monitoring).
 * Their statement, sent on demand, costs about what a look for due deliveries does.
 */
@Injectable()
export class DeliveryMetrics {
  private reading?: Promise<Waiting>;

  constructor(
    metrics: Metrics,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    const gauge = (value: 'count' | 'lag', name: string, help: string) => {
      const read = () => this.read();
      new Gauge({
        name,
        help,
        registers: [metrics],
        async collect() {
          const waiting = await read();
          // without a database there is no value, and the other metrics are still served
          if (waiting) this.set(waiting[value]);
          else this.remove();
        },
      });
    };
    gauge(
      'count',
      'webhook_deliveries_waiting',
      'Due deliveries that are not being sent, and messages without deliveries',
    );
    gauge('lag', 'webhook_delivery_lag_seconds', 'For how long the first of them has waited; 0: none waits');
  }

  /** Both gauges are collected at the same time, by one statement. */
  private read(): Promise<Waiting> {
    this.reading ??= this.readNow()
      .catch(() => undefined)
      .finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readNow(): Promise<Waiting> {
    const now = this.clock.now();
    const found = await this.unitOfWork.acrossTenants(async () => ok(await this.deliveries.late(now)));
    if (!found.ok) return undefined;
    const { count, since } = found.value;
    return { count, lag: since ? Math.max(0, now.getTime() - since.getTime()) / 1000 : 0 };
  }
}
