import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { TenantDeletion } from '../data/tenant-deletion';
import { TenantRepository } from '../data/tenant.repository';
import { TenantDeleted } from '../tenants.events';
import { PurgeDeletedTenant } from './purge-deleted-tenant';

/**
 * Deletes the active tenant with all its data: it becomes invisible at once, and a job removes its
 * rows. Its audit log is kept. SUBSCRIPTION_ACTIVE while Stripe would still charge it; FORBIDDEN
 * if the caller lost the ownership after the token was issued.
 */
export class DeleteTenant extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND' | 'SUBSCRIPTION_ACTIVE'>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@CommandHandler(DeleteTenant)
export class DeleteTenantHandler implements ICommandHandler<DeleteTenant> {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly memberships: MembershipRepository,
    private readonly tenantDeletion: TenantDeletion,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor }: DeleteTenant) {
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const membership = await this.memberships.lock(actor.tenantId, actor.userId);
        if (!membership) return err(PlatformFailures.notFound);
        if (!membership.isOwner) return err(PlatformFailures.forbidden);
        // published first, so that listeners can still read what is about to be hidden
        await this.events.publish(new TenantDeleted(actor, await this.tenants.get(actor.tenantId)));
        const hidden = await this.tenantDeletion.hide(actor.tenantId, this.clock.now());
        if (hidden.ok) await this.jobs.enqueue(new PurgeDeletedTenant(actor.tenantId));
        return hidden;
      },
      'exclusive',
    );
  }
}
