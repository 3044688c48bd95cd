import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../edge/actor';
import { DomainEvents } from '../../platform/domain-events';
import type { Permission } from '../../platform/permissions';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { MemberRemoved } from '../tenants.events';
import { TenantFailures } from '../tenants.failures';

const NEEDED_FOR_OTHERS: Permission = 'tenant.members.manage';

/** Takes a member out of the active tenant; oneself without any permission. OWNER_CANNOT_LEAVE. */
export class RemoveMember extends Command<Result> {
  constructor(
    readonly actor: TenantActor,
    readonly userId: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ actor, userId }: RemoveMember): Promise<Result> {
    if (userId !== actor.userId && !actor.permissions.includes(NEEDED_FOR_OTHERS)) return err(PlatformFailures.forbidden);
    return this.unitOfWork.within(actor, async () => {
      if (!(await this.memberships.remove(actor.tenantId, userId))) return this.refuse(actor.tenantId, userId);
      await this.events.publish(new MemberRemoved(actor, actor.tenantId, userId));
      return ok();
    });
  }

  private async refuse(tenantId: string, userId: string) {
    const isOwner = await this.memberships.lockAndAskIsOwner(tenantId, userId);
    return err(isOwner ? TenantFailures.ownerCannotLeave : PlatformFailures.notFound);
  }
}
