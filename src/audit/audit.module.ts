import { Module } from '@nestjs/common';
import { AuditListener } from './audit-listener';
import { AuditTally } from './audit-tally';
import { AuditLog } from './data/audit-log';
import { AuditController } from './http/audit.controller';
import { ListAuditLogHandler } from './queries/list-audit-log';

/** What has happened, written in the transaction in which it did. */
@Module({
  controllers: [AuditController],
  providers: [AuditListener, AuditLog, AuditTally, ListAuditLogHandler],
  exports: [AuditLog],
})
export class AuditModule {}
