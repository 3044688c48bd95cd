import { Injectable } from '@nestjs/common';
import { CacheableMemory } from 'cacheable';
import type { TenantActor } from '../../http/access/actor';
import { addSeconds, Clock, MINUTE } from '../../platform/clock';
import { EntityReader } from '../../platform/database/entity-reader';
import { Membership } from '../domain/membership';

const KEPT_SECONDS = 5 * MINUTE;
/** About 500 kB. The least recently used one is evicted. */
const KEPT_TENANTS = 1000;

/** The numbers of members by role, and until when they are used. */
interface KeptSizes {
  readonly sizes: Map<string, Promise<number>>;
  readonly until: Date;
}

/**
 * The number of members of large roles, at most 5 minutes old. To count a million members takes
 * PostgreSQL 60 ms, for which other tenants would wait.
 */
@Injectable()
export class LargeRoleSizes {
  private readonly kept = new CacheableMemory({ lruSize: KEPT_TENANTS, useClone: false, storeHashSize: 1 });

  constructor(
    private readonly reader: EntityReader,
    private readonly clock: Clock,
  ) {}

  /** The roles of a tenant whose number of members need not be counted. */
  rolesOf(tenantId: string): ReadonlySet<string> {
    return new Set(this.of(tenantId)?.keys());
  }

  /** Requests at the same time share one count. @param roleId a role of the actor's tenant */
  sizeOf(actor: TenantActor, roleId: string): Promise<number> {
    const sizes = this.of(actor.tenantId) ?? this.keep(actor.tenantId);
    const known = sizes.get(roleId);
    if (known) return known;
    const size = this.reader.count(Membership, { scope: actor, where: { tenantId: actor.tenantId, roleId } });
    size.catch(() => sizes.delete(roleId)); // the next request counts again
    sizes.set(roleId, size);
    return size;
  }

  private of(tenantId: string): Map<string, Promise<number>> | undefined {
    const kept = this.kept.get<KeptSizes>(tenantId);
    return kept && kept.until > this.clock.now() ? kept.sizes : undefined;
  }

  private keep(tenantId: string): Map<string, Promise<number>> {
    const sizes = new Map<string, Promise<number>>();
    const until = addSeconds(this.clock.now(), KEPT_SECONDS);
    this.kept.set(tenantId, { sizes, until } satisfies KeptSizes);
    return sizes;
  }
}
