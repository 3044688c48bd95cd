import { Module } from '@nestjs/common';
import { RecordAuditEntryOnDomainEvent } from './listeners/record-audit-entry-on-domain-event';
import { AuditAggregation } from './services/audit-aggregation';
import { AuditLogRepository } from './data/audit-log.repository';
import { AuditController } from './http/audit.controller';
import { ListAuditLogHandler } from './queries/list-audit-log';

/** The audit log: domain events, stored in the transaction in which they happen. */
@Module({
  controllers: [AuditController],
  providers: [RecordAuditEntryOnDomainEvent, AuditLogRepository, AuditAggregation, ListAuditLogHandler],
})
export class AuditModule {}
