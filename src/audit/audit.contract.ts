/** What other modules may use of this one. */
export { AuditLog, type Happening } from './data/audit-log';
