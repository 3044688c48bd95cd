import type { ColumnOf } from '../../platform/database/entity-table';
import type { AuditEntry } from '../domain/audit-entry';

/** The columns of an AuditEntryView. */
export const AUDIT_ENTRY_COLUMNS = [
  'id',
  'at',
  'action',
  'actorId',
  'impersonatorId',
  'tenantId',
  'targetType',
  'targetId',
  'ip',
  'requestId',
  'data',
  'principalKind',
  'principalId',
] as const satisfies readonly ColumnOf<AuditEntry>[];
