import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Log } from '../../../platform/observability/log';
import { Metrics } from '../../../platform/observability/metrics';

/** Names prices that belong to no plan, in the log and as a metric. */
@Injectable()
export class UnknownPriceReport {
  private readonly counter: Counter;

  constructor(
    metrics: Metrics,
    private readonly log: Log,
  ) {
    this.counter = new Counter({
      name: 'billing_unknown_prices_total',
      help: 'Subscriptions with a price that belongs to no plan, in events and in readings',
      registers: [metrics],
    });
  }

  /** @param priceId null: the subscription has no price */
  report(priceId: string | null, subscriptionId: string): void {
    this.counter.inc();
    this.log.warn({ event: 'billing.price_unknown', priceId, subscriptionId }, 'A price at Stripe belongs to no plan');
  }
}
