/** What other modules may use of this one. */
export { AuditStreamChanged, AuditStreamCreated, AuditStreamDeleted } from './audit-streams.events';
