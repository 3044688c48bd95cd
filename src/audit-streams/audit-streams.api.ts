/** What other modules may use of this one. */
export { AuditStreamChanged, AuditStreamCreated, AuditStreamDeleted } from './audit-streams.events';
export { DisableAuditStream } from './commands/disable-audit-stream';
export { EnableAuditStream } from './commands/enable-audit-stream';
export { STREAM_STATE, withLag } from './data/audit-streams.columns';
export { AuditStream } from './domain/audit-stream';
