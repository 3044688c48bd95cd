/** What other modules may use of this one. */
export { AuditEntryView } from './http/views/audit.views';
export { ListAuditLog } from './queries/list-audit-log';
