import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { idOf, pageOf, type Page, type PageQuery } from '../../http/validation/pagination';
import { Database } from '../../platform/database/database';
import { firstIdAt } from '../../platform/ids';
import { ok, type Result } from '../../platform/result';
import type { Scope } from '../../platform/database/tenant-scope';
import { AUDIT_ENTRY_COLUMNS } from '../data/audit-entry.columns';
import type { AuditEntryView } from '../http/views/audit.views';

/** What is looked for; what is left out is not looked at. */
export interface AuditFilter {
  readonly actor?: string;
  readonly impersonator?: string;
  readonly target?: string;
  readonly tenant?: string;
  readonly action?: string;
  /** The first moment that counts. */
  readonly from?: Date;
  /** The last moment that counts. */
  readonly to?: Date;
}

/** What has happened, newest first: in a tenant for who is in it, anywhere for operators. */
export class ListAuditLog extends Query<Result<Page<AuditEntryView>>> {
  constructor(
    readonly scope: Scope,
    readonly filter: AuditFilter,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListAuditLog)
export class ListAuditLogHandler implements IQueryHandler<ListAuditLog> {
  constructor(private readonly database: Database) {}

  /**
   * Each condition is there only when it is asked for, so that PostgreSQL plans with what it knows:
   * each has its index that ends in the id.
   */
  async execute({ scope, filter, page }: ListAuditLog): Promise<Result<Page<AuditEntryView>>> {
    const { actor, impersonator, target, tenant, action, from, to } = filter;
    const wanted: [string, unknown][] = [
      ['actor_id =', actor],
      ['impersonator_id =', impersonator],
      ['target_id =', target?.toLowerCase()],
      ['tenant_id =', tenant],
      ['action =', action],
      ['id >=', from && firstIdAt(from)], // an entry's id begins with its time
      ['id <', to && firstIdAt(new Date(to.getTime() + 1))],
      ['id <', idOf(page.cursor) ?? undefined],
    ];
    const given = wanted.filter(([, value]) => value !== undefined);
    const conditions = given.map(([condition], index) => `${condition} $${index + 2}`);
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const sql = `SELECT ${AUDIT_ENTRY_COLUMNS} FROM audit_log ${where} ORDER BY id DESC LIMIT $1`;
    const rows = await this.database.readInTenant<AuditEntryView>(scope, sql, [
      page.limit + 1,
      ...given.map(([, value]) => value),
    ]);
    return ok(pageOf(rows, page.limit));
  }
}
