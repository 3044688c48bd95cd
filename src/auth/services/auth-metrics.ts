import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/observability/metrics';

/** What attacks on accounts look like from outside (contract section 11, Being told). */
@Injectable()
export class AuthMetrics {
  private readonly loginFailures: Counter;
  private readonly tokenReuse: Counter;

  constructor(metrics: Metrics) {
    const registers = [metrics];
    this.loginFailures = new Counter({
      name: 'login_failures_total',
      help: 'Passwords that were presented and wrong',
      registers,
    });
    this.tokenReuse = new Counter({
      name: 'token_reuse_total',
      help: 'Refresh tokens that were used twice',
      registers,
    });
  }

  passwordWasWrong(): void {
    this.loginFailures.inc();
  }

  tokenWasReused(): void {
    this.tokenReuse.inc();
  }
}
