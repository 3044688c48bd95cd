import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/observability/metrics';

/** Counts requests refused by rate limits, by kind (docs/contract.md, Health and metrics). */
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
   * @param kind the limit: all requests, POST requests below /auth, one of those on sign-in, or a
   * tenant's invitations per day
   */
  count(kind: 'requests' | 'auth' | 'login-source' | 'login-account' | 'login-spray' | 'invitations'): void {
    this.refused.inc({ kind });
  }
}
