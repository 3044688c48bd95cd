import { Injectable } from '@nestjs/common';
import { DatabaseFunction } from '../../platform/database/database-function';
import { columnsOf } from '../../platform/database/select-list';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { AuditEntry } from '../domain/audit-entry';
import { AUDIT_ENTRY_COLUMNS } from './audit-entry.columns';

/** A place between entries of the audit log, in the order in which they are read. */
export interface AuditPosition {
  /** A whole number, which can be greater than those of JavaScript. */
  readonly position: string;
  readonly id: string;
}

/** An entry with its place. */
export type PlacedAuditEntry = Pick<AuditEntry, (typeof AUDIT_ENTRY_COLUMNS)[number] | 'position'>;

/**
 * The condition on an entry `a` that it follows a place, and that no entry will be added before it:
 * every transaction that could add one has ended.
 * @param after SQL of a position and an id
 * @param since SQL of the smallest id
 */
export const completeAfter = (after: { readonly position: string; readonly id: string }, since: string) => `
  (a.position, a.id) > (${after.position}, ${after.id}) AND a.id >= ${since}
   AND a.position < (SELECT audit_log_horizon())`;

const COLUMNS = columnsOf(AuditEntry, 'a', { only: AUDIT_ENTRY_COLUMNS });
const IS_NEXT = completeAfter({ position: ':position::bigint', id: ':id::uuid' }, ':since::uuid');

const HORIZON = new DatabaseFunction<Pick<AuditPosition, 'position'>>('audit_log_horizon', {
  position: 'audit_log_horizon::text',
});

/** Reads the audit log in an order in which nothing appears behind what was read. */
@Injectable()
export class CompleteAuditEntries {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * The next entries of a tenant, in a transaction that sees them.
   * @param since the smallest id
   */
  next(tenantId: string, { position, id }: AuditPosition, since: string, limit: number): Promise<PlacedAuditEntry[]> {
    return this.unitOfWork.manager
      .createQueryBuilder(AuditEntry, 'a')
      .select(COLUMNS)
      .addSelect('a.position::text', 'position')
      .where({ tenantId })
      .andWhere(IS_NEXT, { position, id, since })
      .orderBy('a.position')
      .addOrderBy('a.id')
      .limit(limit)
      .getRawMany<PlacedAuditEntry>();
  }

  /** The position of the first entry that may be incomplete. */
  async horizon(): Promise<string> {
    return (await this.unitOfWork.call(HORIZON))[0].position;
  }
}
