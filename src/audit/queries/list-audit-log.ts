import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { And, LessThan, MoreThanOrEqual, type FindOperator } from 'typeorm';
import type { Page, PageRequest } from '../../platform/pagination';
import { EntityReader, withoutUndefined } from '../../platform/database/entity-reader';
import { firstIdAt } from '../../platform/ids';
import { ok, type Result } from '../../platform/result';
import type { Scope } from '../../platform/database/tenant-scope';
import { AUDIT_ENTRY_COLUMNS } from '../data/audit-entry.columns';
import { AuditEntry } from '../domain/audit-entry';
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
  constructor(private readonly reader: EntityReader) {}

  /**
   * Adds a condition only for a filter that is given, so that PostgreSQL plans for exactly these.
   * Each filter has an index that ends in the id.
   */
  async execute({ scope, filter, page }: ListAuditLog): Promise<Result<Page<AuditEntryView>>> {
    const { actor, impersonator, target, tenant, action, from, to } = filter;
    const where = withoutUndefined({
      actorId: actor,
      impersonatorId: impersonator,
      targetId: target?.toLowerCase(),
      tenantId: tenant,
      action,
      id: idBetween(from, to),
    });
    return ok(await this.reader.findPage(AuditEntry, { scope, select: AUDIT_ENTRY_COLUMNS, where }, page));
  }
}

/** The ids of entries between two times, both inclusive: an id starts with its time. */
function idBetween(from?: Date, to?: Date): FindOperator<string> | undefined {
  const bounds = [
    ...(from ? [MoreThanOrEqual(firstIdAt(from))] : []),
    ...(to ? [LessThan(firstIdAt(new Date(to.getTime() + 1)))] : []),
  ];
  return bounds.length > 0 ? And(...bounds) : undefined;
}
