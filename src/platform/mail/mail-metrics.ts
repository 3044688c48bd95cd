import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../observability/metrics';

/**
 * mails_total by purpose and outcome: sent, postponed by the limit of its recipient, by the ceiling
 * over all new addresses, by the share of its cause in that, suppressed, refused by the mail server
 * for ever.
 */
@Injectable()
export class MailMetrics {
  private readonly counter: Counter<'purpose' | 'outcome'>;

  constructor(metrics: Metrics) {
    this.counter = new Counter({
      name: 'mails_total',
      help: 'Mails by purpose and outcome: sent, postponed (the limit of the recipient), ceiling (postponed, over all new addresses), share (postponed, over those of one cause), suppressed (the address was refused before), refused (by the mail server, for ever)',
      labelNames: ['purpose', 'outcome'],
      registers: [metrics],
    });
  }

  count(purpose: string, outcome: string): void {
    this.counter.inc({ purpose, outcome });
  }
}
