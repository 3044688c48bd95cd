import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/observability/metrics';

/**
 * Counts what was refused because there was too much of it, by kind (docs/contract.md, Health and
 * metrics).
 */
@Injectable()
export class RateLimitMetrics {
  private readonly refused: Counter<'kind'>;

  constructor(metrics: Metrics) {
    this.refused = new Counter({
      name: 'rate_limited_total',
      help: 'Requests refused with 429, by the limit that they met',
      labelNames: ['kind'],
      registers: [metrics],
    });
  }

  /**
   * @param kind which limit: all requests, POSTs of an address below /auth, one of those on
   * guessing, or a tenant's invitation mails of a day
   */
  count(kind: 'requests' | 'auth' | 'login-source' | 'login-account' | 'login-spray' | 'invitations'): void {
    this.refused.inc({ kind });
  }
}
