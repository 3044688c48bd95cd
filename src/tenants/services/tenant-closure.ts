import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents, type ActorRef } from '../../platform/domain-events';
import type { Result } from '../../platform/result';
import { TenantDeletion } from '../data/tenant-deletion';
import { TenantRepository } from '../data/tenant.repository';
import { TenantDeleted } from '../tenants.events';

/** Deletes a tenant: it becomes invisible at once, and a job removes its rows. */
@Injectable()
export class TenantClosure {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly tenantDeletion: TenantDeletion,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * In a transaction that sees the tenant and has locked its row exclusively. SUBSCRIPTION_ACTIVE
   * while Stripe would still charge it.
   */
  async close(by: ActorRef, tenantId: string): Promise<Result<void, 'SUBSCRIPTION_ACTIVE'>> {
    // published first, so that listeners can still read what is about to be hidden
    await this.events.publish(new TenantDeleted(by, await this.tenants.get(tenantId)));
    return this.tenantDeletion.hide(tenantId, this.clock.now());
  }
}
