import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantPerson } from '../../http/access/actor';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { TenantClosure } from '../services/tenant-closure';

/**
 * Deletes the active tenant with all its data: it becomes invisible at once, and a job removes its
 * rows. Its audit log is kept. SUBSCRIPTION_ACTIVE while Stripe would still charge it; FORBIDDEN
 * if the caller lost the ownership after the token was issued.
 */
export class DeleteTenant extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND' | 'SUBSCRIPTION_ACTIVE'>> {
  constructor(readonly actor: TenantPerson) {
    super();
  }
}

@CommandHandler(DeleteTenant)
export class DeleteTenantHandler implements ICommandHandler<DeleteTenant> {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly tenantClosure: TenantClosure,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor }: DeleteTenant) {
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const membership = await this.memberships.lock(actor.tenantId, actor.userId);
        if (!membership) return err(PlatformFailures.notFound);
        if (!membership.isOwner) return err(PlatformFailures.forbidden);
        return this.tenantClosure.close(actor, actor.tenantId);
      },
      'exclusive',
    );
  }
}
