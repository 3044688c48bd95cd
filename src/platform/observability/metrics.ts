import { Injectable } from '@nestjs/common';
import { Registry, collectDefaultMetrics } from 'prom-client';

/**
 * The registry of this application, not prom-client's global one: two applications in one process
 * (tests) do not mix.
 */
@Injectable()
export class Metrics extends Registry {
  constructor() {
    super();
    collectDefaultMetrics({ register: this });
  }
}
