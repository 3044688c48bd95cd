import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../platform/observability/metrics';
import { AuditPartitionRepository } from '../data/audit-partition.repository';

/** audit_log_unpartitioned_bytes (docs/operations.md, Tenant data), read on demand. */
@Injectable()
export class AuditMetrics {
  constructor(metrics: Metrics, auditPartitions: AuditPartitionRepository) {
    new Gauge({
      name: 'audit_log_unpartitioned_bytes',
      help: 'Size of the audit entries later than the last month that has a partition: 0 unless the job failed',
      registers: [metrics],
      async collect() {
        const bytes = await auditPartitions.bytesBeyond().catch(() => undefined);
        // without a database there is no value, and the other metrics are still served
        if (bytes === undefined) this.remove();
        else this.set(bytes);
      },
    });
  }
}
