import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/observability/metrics';

/** Metrics that show attacks on accounts (docs/contract.md, Health and metrics). */
@Injectable()
export class AuthMetrics {
  private readonly loginFailures: Counter;
  private readonly tokenReuse: Counter;
  private readonly refreshReplays: Counter;

  constructor(metrics: Metrics) {
    const registers = [metrics];
    this.loginFailures = new Counter({
      name: 'login_failures_total',
      help: 'Wrong passwords, and wrong codes of sign-in emails',
      registers,
    });
    this.tokenReuse = new Counter({
      name: 'token_reuse_total',
      help: 'Refresh tokens that were reused',
      registers,
    });
    this.refreshReplays = new Counter({
      name: 'refresh_replays_total',
      help: 'Responses of refreshes that were repeated with their Idempotency-Key',
      registers,
    });
  }

  countLoginFailure(): void {
    this.loginFailures.inc();
  }

  countTokenReuse(): void {
    this.tokenReuse.inc();
  }

  countRefreshReplay(): void {
    this.refreshReplays.inc();
  }
}
