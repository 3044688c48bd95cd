import { Injectable } from '@nestjs/common';
import { DatabaseFunction } from '../../platform/database/database-function';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** A partition of the audit log that was dropped. */
export interface DroppedPartition {
  readonly name: string;
  /** Every entry in it was older. */
  readonly until: Date;
}

const KEEP = new DatabaseFunction<object>('keep_audit_log_partitions', {});
const DROP_EXPIRED = new DatabaseFunction<DroppedPartition>('drop_expired_audit_log_partitions', {
  name: 'partition',
  until: 'until',
});
const SIZE = new DatabaseFunction<{ bytes: number }>('pg_relation_size', { bytes: 'pg_relation_size::float8' });

/**
 * The partitions of the audit log (docs/decisions/0038-audit-log-partitions.md). Its functions run
 * as the owner of the schema and wait for a lock for 0.3 s at most; then they fail and can be
 * repeated.
 */
@Injectable()
export class AuditPartitionRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Creates the partitions of the next three months. Idempotent. */
  async keep(): Promise<void> {
    await this.unitOfWork.call(KEEP);
  }

  /** Drops the partitions whose entries are all older than AUDIT_RETENTION_MONTHS. */
  dropExpired(): Promise<DroppedPartition[]> {
    return this.unitOfWork.call(DROP_EXPIRED);
  }

  /** The size of the entries that are later than the last month that has a partition. */
  async bytesBeyond(): Promise<number> {
    return (await this.unitOfWork.call(SIZE, 'audit_log_future'))[0].bytes;
  }
}
