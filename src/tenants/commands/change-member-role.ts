import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { RoleRepository } from '../data/role.repository';
import { permissionsOf } from '../domain/built-in-roles';
import { RoleGrantPolicy } from '../services/role-grant-policy';
import { MemberRoleChanged } from '../tenants.events';
import { TenantFailures } from '../tenants.failures';
import type { MemberView } from '../http/views/tenants.views';
import { InvitationWithdrawal } from '../services/invitation-withdrawal';

/**
 * Gives a member another role; their tokens show it from the next refresh on. The invitations that
 * they have sent and could not send any more are taken back. OWNER_ROLE_FIXED to or from Owner,
 * PERMISSION_NOT_HELD when the caller lacks a permission of the role that is given, or of the one
 * that is taken away.
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
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly invitationWithdrawal: InvitationWithdrawal,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, userId, roleId }: ChangeMemberRole) {
    const { tenantId } = actor;
    return this.unitOfWork.inTenant(actor, async () => {
      const { held, target, mayTakeAway } = await this.roleGrantPolicy.encounter(actor, userId);
      const role = await this.roles.lockShared(tenantId, roleId);
      if (!role || !target) return err(PlatformFailures.notFound);
      if (role.isOwner || target.isOwner) return err(TenantFailures.ownerRoleFixed);
      if (!mayTakeAway.ok) return mayTakeAway;
      const mayGive = role.mayBeGrantedBy(held);
      if (!mayGive.ok) return mayGive;
      await this.memberships.changeRole(userId, role);
      await this.invitationWithdrawal.withdraw(actor, userId, permissionsOf(role));
      await this.events.publish(new MemberRoleChanged(actor, userId, role));
      return ok((await this.memberships.findMember(tenantId, userId))!);
    });
  }
}
