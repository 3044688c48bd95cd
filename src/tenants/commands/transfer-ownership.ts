import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../edge/actor';
import { DomainEvents } from '../../platform/domain-events';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { OwnershipTransferred } from '../tenants.events';

/**
 * Makes another member the Owner and the Owner an Admin. NOT_FOUND for who is no member; FORBIDDEN when the caller is the Owner by an old token
 * only.
 */
export class TransferOwnership extends Command<Result> {
  constructor(
    readonly actor: TenantActor,
    readonly userId: string,
  ) {
    super();
  }
}

@CommandHandler(TransferOwnership)
export class TransferOwnershipHandler implements ICommandHandler<TransferOwnership> {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ actor, userId }: TransferOwnership): Promise<Result> {
    const { tenantId } = actor;
    if (userId === actor.userId) return err(invalid({ userId: ['must be another member'] }));
    return this.unitOfWork.within(actor, async () => {
      if (!(await this.memberships.demote(tenantId, actor.userId))) return err(PlatformFailures.forbidden);
      if (!(await this.memberships.promote(tenantId, userId))) return err(PlatformFailures.notFound);
      await this.events.publish(new OwnershipTransferred(actor, tenantId, userId));
      return ok();
    });
  }
}
