import { columnsOf } from '../../platform/database/select-list';
import { AuditEntry } from '../domain/audit-entry';

/** The columns of an AuditEntryView, which shows the whole entry. */
export const AUDIT_ENTRY_COLUMNS = columnsOf(AuditEntry, 'a');
