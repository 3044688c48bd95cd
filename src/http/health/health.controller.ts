import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok } from '../../platform/result';
import { Public } from '../access/access.decorators';
import { Responds } from '../openapi/openapi-responses.decorator';
import { HealthView } from './health.views';
import { Readiness } from './readiness';

/** Liveness and readiness (docs/contract.md, Health and metrics). */
@ApiTags('operations')
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Only checks that the process responds, not what it depends on. */
  @Get('live')
  @Responds({ summary: 'Check liveness', description: 'Whether the process responds.', data: HealthView })
  live() {
    return { status: 'ok' };
  }

  /**
   * Ready when the database responds, no migration is missing, the worker runs and the service is
   * not stopping.
   */
  @Get('ready')
  @Responds({
    summary: 'Check readiness',
    description: 'Whether the service may receive requests: the database, its migrations and the worker.',
    data: HealthView,
  })
  async ready() {
    const { ready, view } = await this.readiness.check();
    if (ready) return ok({ status: 'ok', ...view });
    const state = Object.entries(view).map(([part, how]) => `${part}: ${String(how)}`);
    return err({ ...PlatformFailures.unavailable, message: `Not ready (${state.join(', ')}).` });
  }
}
