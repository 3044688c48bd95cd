import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** A partition of the audit log that was dropped. */
export interface DroppedPartition {
  readonly name: string;
  /** Every entry in it was older. */
  readonly until: Date;
}

const KEEP = 'SELECT keep_audit_log_partitions()';
const DROP_EXPIRED = 'SELECT partition AS name, until FROM drop_expired_audit_log_partitions()';
const BYTES_BEYOND = `SELECT pg_relation_size('audit_log_future')::int8::float8 AS bytes`;

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
    await this.unitOfWork.query(KEEP, []);
  }

  /** Drops the partitions whose entries are all older than AUDIT_RETENTION_MONTHS. */
  dropExpired(): Promise<DroppedPartition[]> {
    return this.unitOfWork.query<DroppedPartition>(DROP_EXPIRED, []);
  }

  /** The size of the entries that are later than the last month that has a partition. */
  async bytesBeyond(): Promise<number> {
    return (await this.unitOfWork.query<{ bytes: number }>(BYTES_BEYOND, []))[0].bytes;
  }
}
