import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../edge/actor';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { RoleRepository } from '../data/role.repository';
import { Granting } from '../granting';
import { MemberRoleChanged } from '../tenants.events';
import { TenantFailures } from '../tenants.failures';
import type { MemberView } from '../tenants.views';

/**
 * Gives a member another role; their tokens show it from the next refresh on. OWNER_ROLE_FIXED to or from Owner, PERMISSION_NOT_HELD for a
 * role above the caller's own permissions.
 */
export class ChangeMemberRole extends Command<Result<MemberView>> {
  constructor(
    readonly actor: TenantActor,
    readonly userId: string,
    readonly roleId: string,
  ) {
    super();
  }
}

@CommandHandler(ChangeMemberRole)
export class ChangeMemberRoleHandler implements ICommandHandler<ChangeMemberRole> {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly roles: RoleRepository,
    private readonly granting: Granting,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, userId, roleId }: ChangeMemberRole) {
    return this.unitOfWork.within(actor, async () => {
      const role = await this.roles.hold(actor.tenantId, roleId);
      if (!role) return err(PlatformFailures.notFound);
      if (role.isOwner) return err(TenantFailures.ownerRoleFixed);
      const allowed = await this.granting.check(actor, role);
      if (!allowed.ok) return allowed;
      if (!(await this.memberships.changeRole(userId, role))) return this.refuse(actor.tenantId, userId);
      await this.events.publish(new MemberRoleChanged(actor, userId, role));
      return ok((await this.memberships.view(actor.tenantId, userId))!);
    });
  }

  private async refuse(tenantId: string, userId: string) {
    const isOwner = await this.memberships.lockAndAskIsOwner(tenantId, userId);
    return err(isOwner ? TenantFailures.ownerRoleFixed : PlatformFailures.notFound);
  }
}
