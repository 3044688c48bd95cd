/** What other modules may use of this one. */
export { AuditEntryView } from './audit.views';
export { AuditLog, type Happening } from './data/audit-log';
export { ListAuditLog, type AuditFilter } from './queries/list-audit-log';
