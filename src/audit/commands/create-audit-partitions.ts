import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { AuditPartitionRepository } from '../data/audit-partition.repository';

/**
 * Creates the partitions of the audit log for the next three months. Entries that were written
 * before their month had a partition get one.
 */
@Job('create-audit-partitions')
@Schedule('17 2 * * *')
export class CreateAuditPartitions extends Command<Result> {}

@CommandHandler(CreateAuditPartitions)
export class CreateAuditPartitionsHandler implements ICommandHandler<CreateAuditPartitions> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly auditPartitions: AuditPartitionRepository,
  ) {}

  execute() {
    return this.unitOfWork.transaction(async () => {
      await this.auditPartitions.keep();
      return ok();
    });
  }
}
