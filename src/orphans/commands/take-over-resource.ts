import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantPerson } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { mustHoldAll, RoleGrantPolicy } from '../../tenants/tenants.api';
import { OrphanRepository } from '../data/orphan.repository';
import { RESOURCE_PERMISSIONS } from '../domain/orphaned-resource';
import { ResourceTakenOver } from '../orphans.events';
import { OrphanResources } from '../services/orphan-resources';

/**
 * Makes the person the creator of what another member has left; of a service account also of its
 * keys. PERMISSION_NOT_HELD without the permission of its kind and those of its keys. NOT_FOUND,
 * also after it was taken over, disabled or deleted.
 */
export class TakeOverResource extends Command<Result<void, 'NOT_FOUND' | 'PERMISSION_NOT_HELD'>> {
  constructor(
    readonly actor: TenantPerson,
    readonly orphanId: string,
  ) {
    super();
  }
}

@CommandHandler(TakeOverResource)
export class TakeOverResourceHandler implements ICommandHandler<TakeOverResource> {
  constructor(
    private readonly orphans: OrphanRepository,
    private readonly resources: OrphanResources,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, orphanId }: TakeOverResource) {
    const now = this.clock.now();
    return this.unitOfWork.inTenant(actor, async () => {
      const held = await this.roleGrantPolicy.grantablePermissions(actor);
      const orphan = await this.orphans.lock(actor.tenantId, orphanId, now);
      if (!orphan) return err(PlatformFailures.notFound);
      const allowed = mustHoldAll(held, [RESOURCE_PERMISSIONS[orphan.kind], ...orphan.permissions]);
      if (!allowed.ok) return allowed;
      await this.resources.takeOver(orphan, actor.userId);
      await this.orphans.remove(actor.tenantId, orphanId);
      await this.events.publish(new ResourceTakenOver(actor, orphan));
      return ok();
    });
  }
}
