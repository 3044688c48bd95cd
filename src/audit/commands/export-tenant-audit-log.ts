import { Command, CommandHandler, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { CsvFile } from '../../http/responses/csv-file';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';
import { AuditLogExported } from '../audit.events';
import { AUDIT_CSV } from '../data/audit-csv';
import { ListTenantAuditLog } from '../queries/list-tenant-audit-log';

/**
 * Exports the entries that the members of the active tenant may read as a CSV file. The audit log
 * records the export before a row is read (docs/contract.md, Audit log). NOT_FOUND.
 */
export class ExportTenantAuditLog extends Command<Result<CsvFile, 'NOT_FOUND'>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@CommandHandler(ExportTenantAuditLog)
export class ExportTenantAuditLogHandler implements ICommandHandler<ExportTenantAuditLog> {
  constructor(
    private readonly queries: QueryBus,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor }: ExportTenantAuditLog): Promise<Result<CsvFile, 'NOT_FOUND'>> {
    const recorded = await this.unitOfWork.inTenant(actor, async () => {
      await this.events.publish(new AuditLogExported(actor, actor.tenantId));
      return ok();
    });
    if (!recorded.ok) return recorded;
    const content = { name: 'audit-log', day: this.clock.now(), columns: AUDIT_CSV };
    return CsvFile.of(content, (page) => this.queries.execute(new ListTenantAuditLog(actor, page)));
  }
}
