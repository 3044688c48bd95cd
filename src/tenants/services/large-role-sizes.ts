import { Injectable } from '@nestjs/common';
import { CacheableMemory } from 'cacheable';
import type { TenantActor } from '../../http/access/actor';
import { addSeconds, Clock, MINUTE } from '../../platform/clock';
import { EntityReader } from '../../platform/database/entity-reader';
import { Membership } from '../domain/membership';

const KEPT_SECONDS = 5 * MINUTE;
/** About 300 kB. The least recently used one is evicted. */
const KEPT_ROLES = 1000;

/** The number of members of a role, and until when it is used. */
interface KeptSize {
  readonly size: Promise<number>;
  readonly until: Date;
}

/**
 * The number of members of large roles, at most 5 minutes old. To count a million members takes
 * PostgreSQL 60 ms, for which other tenants would wait.
 */
@Injectable()
export class LargeRoleSizes {
  private readonly kept = new CacheableMemory({ lruSize: KEPT_ROLES, useClone: false, storeHashSize: 1 });

  constructor(
    private readonly reader: EntityReader,
    private readonly clock: Clock,
  ) {}

  /** Requests at the same time share one count. @param roleId a role of the actor's tenant */
  of(actor: TenantActor, roleId: string): Promise<number> {
    const known = this.kept.get<KeptSize>(roleId);
    if (known && known.until > this.clock.now()) return known.size;
    const size = this.reader.count(Membership, { scope: actor, where: { tenantId: actor.tenantId, roleId } });
    size.catch(() => this.kept.delete(roleId)); // the next request counts again
    this.kept.set(roleId, { size, until: addSeconds(this.clock.now(), KEPT_SECONDS) } satisfies KeptSize);
    return size;
  }
}
