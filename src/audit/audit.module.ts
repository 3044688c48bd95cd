import { Module } from '@nestjs/common';
import { RecordDomainEvent } from './listeners/record-domain-event';
import { AuditAggregation } from './services/audit-aggregation';
import { AuditLogRepository } from './data/audit-log.repository';
import { AuditController } from './http/audit.controller';
import { ListAuditLogHandler } from './queries/list-audit-log';

/** The audit log: domain events, stored in the transaction in which they happen. */
@Module({
  controllers: [AuditController],
  providers: [RecordDomainEvent, AuditLogRepository, AuditAggregation, ListAuditLogHandler],
})
export class AuditModule {}
