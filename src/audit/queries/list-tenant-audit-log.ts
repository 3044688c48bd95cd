import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../edge/actor';
import { idOf, pageOf, type Page, type PageQuery } from '../../edge/page';
import { Database } from '../../platform/database';
import { ok, type Result } from '../../platform/result';
import { AUDIT_COLUMNS, type AuditEntryView } from '../audit.views';

/** What has happened in the active tenant, newest first. */
export class ListTenantAuditLog extends Query<Result<Page<AuditEntryView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListTenantAuditLog)
export class ListTenantAuditLogHandler implements IQueryHandler<ListTenantAuditLog> {
  constructor(private readonly database: Database) {}

  async execute({ actor, page }: ListTenantAuditLog): Promise<Result<Page<AuditEntryView>>> {
    const rows = await this.database.readWithin<AuditEntryView>(
      actor,
      `SELECT ${AUDIT_COLUMNS} FROM audit_log WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [actor.tenantId, idOf(page.cursor), page.limit + 1],
    );
    return ok(pageOf(rows, page.limit));
  }
}
