import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { MoreThanOrEqual } from 'typeorm';
import type { TenantActor } from '../../http/access/actor';
import { EntityReader } from '../../platform/database/entity-reader';
import { firstIdAt } from '../../platform/ids';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { AUDIT_ENTRY_COLUMNS } from '../data/audit-entry.columns';
import { AuditEntry } from '../domain/audit-entry';
import type { AuditEntryView } from '../http/views/audit.views';
import { AuditRetention } from '../services/audit-retention';

/** Lists the entries of the active tenant that its members may read, newest first. */
export class ListTenantAuditLog extends Query<Result<Page<AuditEntryView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListTenantAuditLog)
export class ListTenantAuditLogHandler implements IQueryHandler<ListTenantAuditLog> {
  constructor(
    private readonly reader: EntityReader,
    private readonly retention: AuditRetention,
  ) {}

  async execute({ actor, page }: ListTenantAuditLog): Promise<Result<Page<AuditEntryView>>> {
    const { tenantId } = actor;
    const id = MoreThanOrEqual(firstIdAt(await this.retention.startOf(tenantId)));
    const rows = { scope: actor, select: AUDIT_ENTRY_COLUMNS, where: { tenantId, id } };
    return ok(await this.reader.findPage(AuditEntry, rows, page));
  }
}
