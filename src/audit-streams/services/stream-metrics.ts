import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Metrics } from '../../platform/observability/metrics';
import { ok } from '../../platform/result';
import { AuditStreamRepository } from '../data/audit-stream.repository';

/** audit_stream_lag_seconds (docs/operations.md, Monitoring), read on demand. */
@Injectable()
export class StreamMetrics {
  constructor(metrics: Metrics, streams: AuditStreamRepository, unitOfWork: UnitOfWork, clock: Clock) {
    new Gauge({
      name: 'audit_stream_lag_seconds',
      help: 'Age of the oldest audit entry that an enabled stream has not delivered; 0: none',
      registers: [metrics],
      async collect() {
        const read = () => unitOfWork.acrossTenants(async () => ok(await streams.waitingSince()));
        const found = await read().catch(() => undefined);
        // without a database there is no value, and the other metrics are still served
        if (!found?.ok) return this.remove();
        this.set(found.value ? Math.max(0, (clock.now().getTime() - found.value.getTime()) / 1000) : 0);
      },
    });
  }
}
