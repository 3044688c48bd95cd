import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import type { Permission } from '../../platform/permissions';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { RoleRepository } from '../data/role.repository';
import { roleSummary } from '../data/role-summary';
import { RoleGrantPolicy } from '../services/role-grant-policy';
import { RoleUpdated } from '../tenants.events';
import type { RoleView } from '../http/views/tenants.views';

/**
 * Changes the name and the permissions of a custom role; its members' tokens carry them from the
 * next refresh. BUILT_IN_ROLE, VALIDATION_ERROR for a built-in name, PERMISSION_NOT_HELD if the
 * caller lacks a permission that the role has before or after the change, ROLE_NAME_TAKEN.
 */
export class UpdateRole extends Command<
  Result<RoleView, 'BUILT_IN_ROLE' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'ROLE_NAME_TAKEN' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: TenantActor,
    readonly roleId: string,
    readonly name: string,
    readonly permissions: readonly Permission[],
  ) {
    super();
  }
}

@CommandHandler(UpdateRole)
export class UpdateRoleHandler implements ICommandHandler<UpdateRole> {
  constructor(
    private readonly roles: RoleRepository,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, roleId, name, permissions }: UpdateRole) {
    return this.unitOfWork.inTenant(actor, async () => {
      const grantable = await this.roleGrantPolicy.grantablePermissions(actor);
      const role = await this.roles.lock(actor.tenantId, roleId);
      if (!role) return err(PlatformFailures.notFound);
      const mayRevoke = role.mayBeGrantedBy(grantable);
      const changed = role.change(name, permissions);
      if (!changed.ok) return changed;
      if (!mayRevoke.ok) return mayRevoke;
      const mayGrant = role.mayBeGrantedBy(grantable);
      if (!mayGrant.ok) return mayGrant;
      const saved = await this.roles.save(role);
      if (!saved.ok) return saved;
      await this.events.publish(new RoleUpdated(actor, role));
      return ok(roleSummary(role, await this.roles.countMembers(role)));
    });
  }
}
