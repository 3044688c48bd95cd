import { DomainEvent, NO_ACTOR, type ActorRef } from '../platform/domain-events';
import type { LivingOrphan } from './data/orphan.repository';

abstract class OrphanEvent extends DomainEvent {
  constructor(by: ActorRef, { tenantId, kind, resourceId, leftBy }: LivingOrphan) {
    super(by, tenantId, { type: kind, id: resourceId }, { leftBy });
  }
}

/** The maker of a resource has left the tenant, or has lost the permission that it needs. */
export class ResourceOrphaned extends OrphanEvent {
  static readonly action = 'resource.orphaned';
}

/** A member has become the creator of a resource that another one had left. */
export class ResourceTakenOver extends OrphanEvent {
  static readonly action = 'resource.taken-over';
}

/** Nobody has taken over a resource, and the service has disabled it. */
export class OrphanDisabled extends OrphanEvent {
  static readonly action = 'resource.disabled';

  constructor(orphan: LivingOrphan) {
    super(NO_ACTOR, orphan);
  }
}
