import { Injectable } from '@nestjs/common';
import { Registry, collectDefaultMetrics } from 'prom-client';

/**
 * The registry of this application. prom-client's global registry would mix two applications in one
 * process, as in tests.
 */
@Injectable()
export class Metrics extends Registry {
  constructor() {
    super();
    collectDefaultMetrics({ register: this });
  }
}
