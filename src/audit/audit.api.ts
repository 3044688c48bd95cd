/** What other modules may use of this one. */
export { AuditEntryView } from './http/views/audit.views';
export { AuditLogRepository, type AuditRecord } from './data/audit-log.repository';
export { ListAuditLog, type AuditFilter } from './queries/list-audit-log';
