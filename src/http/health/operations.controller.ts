import { Controller, Get, Header, Headers, Inject } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { timingSafeEqual } from 'node:crypto';
import { SETTINGS, type Settings } from '../../config/settings';
import { digestOf } from '../../platform/secret-token';
import { Metrics } from '../../platform/observability/metrics';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok } from '../../platform/result';
import { SigningKeys } from '../../platform/signing-keys';
import { Public } from '../access/access.guard';
import { HealthView } from './health.views';
import { Responds } from '../openapi/openapi-responses.decorator';
import { Readiness } from './readiness';
import { RawResponse } from '../responses/raw-response.decorator';

/**
 * What machines ask: is it alive, is it ready, which keys verify its tokens, how is it doing
 * (docs/contract.md, Health and metrics).
 */
@ApiTags('operations')
@Public()
@Controller()
export class OperationsController {
  constructor(
    private readonly readiness: Readiness,
    private readonly keys: SigningKeys,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The process runs. Says nothing about what it depends on. */
  @Get('health/live')
  @Responds({ summary: 'The process runs', data: HealthView })
  live() {
    return { status: 'ok' };
  }

  /**
   * Requests may be sent here: the database answers, no migration is missing, the worker runs,
   * nobody has asked it to stop.
   */
  @Get('health/ready')
  @Responds({ summary: 'Requests may be sent here', data: HealthView })
  async ready() {
    const { ready, view } = await this.readiness.look();
    if (ready) return ok({ status: 'ok', ...view });
    const state = Object.entries(view).map(([part, how]) => `${part}: ${String(how)}`);
    return err({ ...PlatformFailures.unavailable, message: `Not ready (${state.join(', ')}).` });
  }

  @Get('.well-known/jwks.json')
  @ApiExcludeEndpoint()
  @RawResponse()
  @Header('Cache-Control', 'public, max-age=300')
  jwks() {
    return this.keys.jwks;
  }

  @Get('metrics')
  @ApiExcludeEndpoint()
  @RawResponse()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  async prometheus(@Headers('authorization') authorization?: string) {
    const { metricsToken, production } = this.settings;
    if (!metricsToken && production) return err(PlatformFailures.notFound);
    if (metricsToken && !sameSecret(authorization ?? '', `Bearer ${metricsToken}`))
      return err(PlatformFailures.unauthenticated);
    return this.metrics.metrics();
  }
}

/** Compares in constant time, whatever the lengths. */
const sameSecret = (given: string, expected: string) => timingSafeEqual(digestOf(given), digestOf(expected));
