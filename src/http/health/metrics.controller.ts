import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Header, Headers, Inject } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { SETTINGS, type Settings } from '../../config/settings';
import { Metrics } from '../../platform/observability/metrics';
import { PlatformFailures } from '../../platform/platform.failures';
import { err } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { Public } from '../access/access.decorators';
import { RawResponse } from '../responses/raw-response.decorator';

/** Compares in constant time, whatever the lengths. */
const sameSecret = (given: string, expected: string) => timingSafeEqual(digestOf(given), digestOf(expected));

/** Metrics for Prometheus, protected by METRICS_TOKEN (docs/contract.md, Health and metrics). */
@Public()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @ApiExcludeEndpoint()
  @RawResponse()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  async prometheus(@Headers('authorization') authorization?: string) {
    const { metricsToken, production } = this.settings;
    if (!metricsToken && production) return err(PlatformFailures.notFound);
    if (metricsToken && !sameSecret(authorization ?? '', `Bearer ${metricsToken}`)) {
      return err(PlatformFailures.unauthenticated);
    }
    return this.metrics.metrics();
  }
}
