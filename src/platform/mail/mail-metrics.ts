import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../observability/metrics';

/**
 * mails_total by purpose and outcome: sent, postponed (by the recipient's limit, the ceiling for
 * new addresses or the share of its cause), suppressed, or rejected permanently by the mail server.
 */
@Injectable()
export class MailMetrics {
  private readonly counter: Counter<'purpose' | 'outcome'>;

  constructor(metrics: Metrics) {
    this.counter = new Counter({
      name: 'mails_total',
      help:
        'Mails by purpose and outcome: sent, postponed (limit of the recipient), ceiling (postponed, new addresses), ' +
        'share (postponed, one cause), suppressed (address rejected before), refused (rejected permanently)',
      labelNames: ['purpose', 'outcome'],
      registers: [metrics],
    });
  }

  count(purpose: string, outcome: string): void {
    this.counter.inc({ purpose, outcome });
  }
}
