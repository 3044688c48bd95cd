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
 * Gives a custom role another name and other permissions; its members' tokens show them from the
 * next refresh on. BUILT_IN_ROLE, VALIDATION_ERROR for a built-in name, PERMISSION_NOT_HELD for
 * what the caller lacks of what it allows now or then, ROLE_NAME_TAKEN.
 */
export class UpdateRole extends Command<Result<RoleView>> {
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
      const held = await this.roleGrantPolicy.held(actor);
      const role = await this.roles.lock(actor.tenantId, roleId);
      if (!role) return err(PlatformFailures.notFound);
      const mayTakeAway = role.mayBeGrantedBy(held);
      const changed = role.change(name, permissions);
      if (!changed.ok) return changed;
      if (!mayTakeAway.ok) return mayTakeAway;
      const mayGive = role.mayBeGrantedBy(held);
      if (!mayGive.ok) return mayGive;
      const saved = await this.roles.save(role);
      if (!saved.ok) return saved;
      await this.events.publish(new RoleUpdated(actor, role));
      return ok(roleSummary(role, await this.roles.countMembers(role)));
    });
  }
}
