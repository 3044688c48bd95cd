import { DomainEvent, NO_ACTOR, type ActorRef } from '../platform/domain-events';
import type { DroppedPartition } from './data/audit-partition.repository';

/** Entries of the audit log expired and were dropped with their partition. */
export class AuditPartitionDropped extends DomainEvent {
  static readonly action = 'audit-log.partition-dropped';

  constructor({ name, until }: DroppedPartition) {
    const target = { type: 'audit-log', id: name };
    super(NO_ACTOR, null, target, {
      until: until.toISOString(),
    });
  }
}

/** A member has exported the audit log of a tenant. */
export class AuditLogExported extends DomainEvent {
  static readonly action = 'audit-log.exported';

  constructor(by: ActorRef, tenantId: string) {
    super(by, tenantId, { type: 'audit-log', id: tenantId });
  }
}
