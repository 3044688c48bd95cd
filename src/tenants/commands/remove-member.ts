import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import type { Permission } from '../../platform/permissions';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { InvitationRevocation } from '../services/invitation-revocation';
import { RoleGrantPolicy } from '../services/role-grant-policy';
import { MemberRemoved } from '../tenants.events';

const REQUIRED_FOR_OTHERS: Permission = 'tenant.members.manage';

/**
 * Removes a member from the active tenant, or lets the caller leave, which needs no permission.
 * Revokes the invitations that the member sent. OWNER_CANNOT_LEAVE; PERMISSION_NOT_HELD for a
 * member with a permission that the caller lacks.
 */
export class RemoveMember extends Command<
  Result<void, 'FORBIDDEN' | 'NOT_FOUND' | 'OWNER_CANNOT_LEAVE' | 'PERMISSION_NOT_HELD'>
> {
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
    private readonly invitationRevocation: InvitationRevocation,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ actor, userId }: RemoveMember) {
    if (userId !== actor.userId && !actor.permissions.includes(REQUIRED_FOR_OTHERS))
      return err(PlatformFailures.forbidden);
    const { tenantId } = actor;
    return this.unitOfWork.inTenant(actor, async () => {
      const { target, mayRevoke } = await this.roleGrantPolicy.lockMemberChange(actor, userId);
      if (!target) return err(PlatformFailures.notFound);
      const removable = target.membership.checkRemoval();
      if (!removable.ok) return removable;
      if (!mayRevoke.ok) return mayRevoke;
      await this.memberships.remove(target.membership);
      await this.invitationRevocation.revokeUngrantable(actor, userId);
      await this.events.publish(new MemberRemoved(actor, tenantId, userId));
      return ok();
    });
  }
}
