import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from './metrics';

/** mails_total by purpose and outcome: sent, postponed by a limit, suppressed, refused by the mail server for ever. */
@Injectable()
export class MailMetrics {
  private readonly counter: Counter<'purpose' | 'outcome'>;

  constructor(metrics: Metrics) {
    this.counter = new Counter({
      name: 'mails_total',
      help: 'Mails by purpose and outcome: sent, postponed (a limit), suppressed (the address was refused before), refused (by the mail server, for ever)',
      labelNames: ['purpose', 'outcome'],
      registers: [metrics],
    });
  }

  count(purpose: string, outcome: string): void {
    this.counter.inc({ purpose, outcome });
  }
}
