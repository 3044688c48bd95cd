import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { InvitationRepository } from '../data/invitation.repository';
import type { DeletedRoleView } from '../http/views/tenants.views';
import { RoleRepository } from '../data/role.repository';
import { RoleGrantPolicy } from '../services/role-grant-policy';
import { InvitationRevoked, RoleDeleted } from '../tenants.events';

/** How many revoked invitations the answer lists. */
const LISTED = 100;

/**
 * Deletes a custom role and revokes the invitations to it. BUILT_IN_ROLE; PERMISSION_NOT_HELD for
 * a role with permissions that the caller lacks; CONFLICT while it has members.
 */
export class DeleteRole extends Command<
  Result<DeletedRoleView, 'BUILT_IN_ROLE' | 'CONFLICT' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD'>
> {
  constructor(
    readonly actor: TenantActor,
    readonly roleId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteRole)
export class DeleteRoleHandler implements ICommandHandler<DeleteRole> {
  constructor(
    private readonly roles: RoleRepository,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly invitations: InvitationRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, roleId }: DeleteRole) {
    return this.unitOfWork.inTenant(actor, async () => {
      const grantable = await this.roleGrantPolicy.grantablePermissions(actor);
      const role = await this.roles.lock(actor.tenantId, roleId);
      if (!role) return err(PlatformFailures.notFound);
      const custom = role.mustBeCustom();
      if (!custom.ok) return custom;
      const mayRevoke = role.mayBeGrantedBy(grantable);
      if (!mayRevoke.ok) return mayRevoke;
      const revoked = await this.invitations.revokeForRole(role);
      const removed = await this.roles.remove(role);
      if (!removed.ok) return removed;
      await this.events.publish(
        ...revoked.map((invitation) => new InvitationRevoked(actor, invitation)),
        new RoleDeleted(actor, role, revoked.length),
      );
      const invitations = revoked.slice(0, LISTED).map(({ id, email }) => ({ id, email }));
      return ok({ revokedInvitations: revoked.length, invitations });
    });
  }
}
