import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UserRepository } from '../../users/users.api';
import { showsSecondFactors } from '../data/member-select';
import { MembershipRepository } from '../data/membership.repository';
import { RoleRepository } from '../data/role.repository';
import { permissionsOf } from '../domain/built-in-roles';
import { InvitationRevocation } from '../services/invitation-revocation';
import { RoleGrantPolicy } from '../services/role-grant-policy';
import { MemberRoleChanged } from '../tenants.events';
import type { MemberView } from '../http/views/tenants.views';

/**
 * Changes the role of a member; their tokens carry it from the next refresh. Revokes the
 * invitations that they sent and could no longer send. OWNER_ROLE_FIXED to or from Owner;
 * PERMISSION_NOT_HELD if the caller lacks a permission of the old or the new role.
 */
export class ChangeMemberRole extends Command<
  Result<MemberView, 'NOT_FOUND' | 'OWNER_ROLE_FIXED' | 'PERMISSION_NOT_HELD'>
> {
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
    private readonly users: UserRepository,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly invitationRevocation: InvitationRevocation,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, userId, roleId }: ChangeMemberRole) {
    const { tenantId } = actor;
    return this.unitOfWork.inTenant(actor, async () => {
      const { grantable, target, mayRevoke } = await this.roleGrantPolicy.lockMemberChange(actor, userId);
      const role = await this.roles.lockShared(tenantId, roleId);
      if (!role || !target) return err(PlatformFailures.notFound);
      const { membership } = target;
      const changed = membership.changeRole(role);
      if (!changed.ok) return changed;
      if (!mayRevoke.ok) return mayRevoke;
      const mayGrant = role.mayBeGrantedBy(grantable);
      if (!mayGrant.ok) return mayGrant;
      await this.memberships.save(membership);
      await this.invitationRevocation.revokeUngrantable(actor, userId, permissionsOf(role));
      await this.events.publish(new MemberRoleChanged(actor, userId, role));
      const { email, name, pictureUrl, ...user } = (await this.users.findById(userId))!;
      const { joinedAt } = membership;
      const hasSecondFactor = showsSecondFactors(actor) ? user.hasSecondFactor : null;
      return ok({ userId, email, name, pictureUrl, roleId, role: role.name, joinedAt, hasSecondFactor });
    });
  }
}
