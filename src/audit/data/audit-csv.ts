import type { CsvColumns } from '../../http/responses/csv-rows';
import type { AuditEntry } from '../domain/audit-entry';
import { AUDIT_ENTRY_COLUMNS } from './audit-entry.columns';

/** The columns of an exported audit log, named as the fields of the API. */
export const AUDIT_CSV: CsvColumns<Pick<AuditEntry, (typeof AUDIT_ENTRY_COLUMNS)[number]>> = Object.fromEntries(
  AUDIT_ENTRY_COLUMNS.map((column) => [column, (entry: Pick<AuditEntry, typeof column>) => entry[column]]),
);
