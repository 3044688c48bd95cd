import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import type { Permission } from '../../platform/permissions';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { RoleGrantPolicy } from '../services/role-grant-policy';
import { MemberRemoved } from '../tenants.events';
import { TenantFailures } from '../tenants.failures';
import { InvitationWithdrawal } from '../services/invitation-withdrawal';

const NEEDED_FOR_OTHERS: Permission = 'tenant.members.manage';

/**
 * Takes a member out of the active tenant; oneself without any permission. The invitations that
 * they have sent are taken back. OWNER_CANNOT_LEAVE; PERMISSION_NOT_HELD for somebody who has a
 * permission that the caller lacks.
 */
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
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly invitationWithdrawal: InvitationWithdrawal,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ actor, userId }: RemoveMember): Promise<Result> {
    if (userId !== actor.userId && !actor.permissions.includes(NEEDED_FOR_OTHERS))
      return err(PlatformFailures.forbidden);
    const { tenantId } = actor;
    return this.unitOfWork.inTenant(actor, async () => {
      const { target, mayTakeAway } = await this.roleGrantPolicy.encounter(actor, userId);
      if (!target) return err(PlatformFailures.notFound);
      if (target.isOwner) return err(TenantFailures.ownerCannotLeave);
      if (!mayTakeAway.ok) return mayTakeAway;
      await this.memberships.remove(tenantId, userId);
      await this.invitationWithdrawal.withdraw(actor, userId);
      await this.events.publish(new MemberRemoved(actor, tenantId, userId));
      return ok();
    });
  }
}
