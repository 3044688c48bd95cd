import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import type { Permission } from '../../platform/permissions';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { RoleRepository } from '../data/role.repository';
import { roleSummary } from '../data/role-summary';
import { Role } from '../domain/role';
import { RoleGrantPolicy } from '../services/role-grant-policy';
import { RoleCreated } from '../tenants.events';
import type { RoleView } from '../http/views/tenants.views';

/**
 * Creates a custom role. VALIDATION_ERROR for a built-in name, PERMISSION_NOT_HELD,
 * ROLE_NAME_TAKEN, LIMIT_REACHED.
 */
export class CreateRole extends Command<
  Result<RoleView, 'LIMIT_REACHED' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'ROLE_NAME_TAKEN' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: TenantActor,
    readonly name: string,
    readonly permissions: readonly Permission[],
  ) {
    super();
  }
}

@CommandHandler(CreateRole)
export class CreateRoleHandler implements ICommandHandler<CreateRole> {
  constructor(
    private readonly roles: RoleRepository,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ actor, name, permissions }: CreateRole) {
    const role = Role.custom(actor.tenantId, name, permissions);
    if (!role.ok) return role;
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const [grantable, withinLimit] = await Promise.all([
          this.roleGrantPolicy.grantablePermissions(actor),
          this.roles.checkLimitBeforeAdding(actor.tenantId),
        ]);
        const allowed = role.value.mayBeGrantedBy(grantable);
        if (!allowed.ok) return allowed;
        const added = await this.roles.add(role.value);
        if (!added.ok) return added;
        if (!withinLimit.ok) return withinLimit;
        await this.events.publish(new RoleCreated(actor, role.value));
        return ok(roleSummary(role.value, 0));
      },
      'serial',
    );
  }
}
