/** What other modules may use of this one. */
export { AuditEntry } from './domain/audit-entry';
export { AuditEntryView } from './http/views/audit.views';
export { AuditRetention } from './services/audit-retention';
export { ExportTenantAuditLog } from './commands/export-tenant-audit-log';
export { ListAuditLog } from './queries/list-audit-log';
export {
  completeAfter,
  CompleteAuditEntries,
  type AuditPosition,
  type PlacedAuditEntry,
} from './data/complete-audit-entries';
