import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/observability/metrics';

type LoginLimit = 'login-source' | 'login-account' | 'login-spray';
type RateLimitKind =
  | 'requests'
  | 'auth'
  | LoginLimit
  | 'invitations'
  | 'stripe'
  | 'pictures'
  | 'webhooks'
  | 'exports'
  | 'unknown-keys'
  | 'signatures';

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
   * @param kind the limit: all requests, POST requests below /auth, one of those on sign-in, a
   * tenant's invitations per day, its requests that call Stripe or send webhooks, a user's
   * pictures, exports at a time, unknown keys of an address, or its refused signatures
   */
  count(kind: RateLimitKind): void {
    this.refused.inc({ kind });
  }
}
