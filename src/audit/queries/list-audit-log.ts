import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { idOf, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { firstIdAt } from '../../platform/ids';
import { ok, type Result } from '../../platform/result';
import type { Scope } from '../../platform/database/tenant-scope';
import { AUDIT_ENTRY_COLUMNS } from '../data/audit-entry.columns';
import type { AuditEntryView } from '../http/views/audit.views';

/** Filters; an omitted one matches everything. */
export interface AuditFilter {
  readonly actor?: string;
  readonly impersonator?: string;
  readonly target?: string;
  readonly tenant?: string;
  readonly action?: string;
  /** Earliest time, inclusive. */
  readonly from?: Date;
  /** Latest time, inclusive. */
  readonly to?: Date;
}

/**
 * Lists audit log entries, newest first: of one tenant for its members, of all tenants for
 * operators.
 */
export class ListAuditLog extends Query<Result<Page<AuditEntryView>>> {
  constructor(
    readonly scope: Scope,
    readonly filter: AuditFilter,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListAuditLog)
export class ListAuditLogHandler implements IQueryHandler<ListAuditLog> {
  constructor(private readonly database: Database) {}

  /**
   * Adds a condition only for a filter that is given, so that PostgreSQL plans for exactly these.
   * Each filter has an index that ends in the id.
   */
  async execute({ scope, filter, page }: ListAuditLog): Promise<Result<Page<AuditEntryView>>> {
    const { actor, impersonator, target, tenant, action, from, to } = filter;
    const filters: [string, unknown][] = [
      ['actor_id =', actor],
      ['impersonator_id =', impersonator],
      ['target_id =', target?.toLowerCase()],
      ['tenant_id =', tenant],
      ['action =', action],
      ['id >=', from && firstIdAt(from)], // the id starts with the time
      ['id <', to && firstIdAt(new Date(to.getTime() + 1))],
      ['id <', idOf(page.cursor) ?? undefined],
    ];
    const given = filters.filter(([, value]) => value !== undefined);
    const conditions = given.map(([condition], index) => `${condition} $${index + 2}`);
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const sql = `SELECT ${AUDIT_ENTRY_COLUMNS} FROM audit_log a ${where} ORDER BY id DESC LIMIT $1`;
    const rows = await this.database.readInTenant<AuditEntryView>(scope, sql, [
      page.limit + 1,
      ...given.map(([, value]) => value),
    ]);
    return ok(pageOf(rows, page.limit));
  }
}
