import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { AuditPartitionDropped } from '../audit.events';
import { AuditPartitionRepository } from '../data/audit-partition.repository';

/**
 * Drops the partitions of the audit log that are older than AUDIT_RETENTION_MONTHS, and records
 * each. Without the setting, the database drops none.
 */
@Job('purge-audit-partitions')
@Schedule('29 2 * * *')
export class PurgeAuditPartitions extends Command<Result> {}

@CommandHandler(PurgeAuditPartitions)
export class PurgeAuditPartitionsHandler implements ICommandHandler<PurgeAuditPartitions> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly auditPartitions: AuditPartitionRepository,
    private readonly events: DomainEvents,
  ) {}

  execute() {
    return this.unitOfWork.transaction(async () => {
      const dropped = await this.auditPartitions.dropExpired();
      await this.events.publish(...dropped.map((partition) => new AuditPartitionDropped(partition)));
      return ok();
    });
  }
}
