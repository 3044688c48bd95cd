import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { TenantRepository } from '../data/tenant.repository';
import { TenantRenamed } from '../tenants.events';
import type { TenantView } from '../http/views/tenants.views';

/** Renames the active tenant. */
export class RenameTenant extends Command<Result<TenantView, 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(RenameTenant)
export class RenameTenantHandler implements ICommandHandler<RenameTenant> {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, name }: RenameTenant) {
    return this.unitOfWork.inTenant(actor, async () => {
      const tenant = await this.tenants.rename(actor.tenantId, name);
      await this.events.publish(new TenantRenamed(actor, tenant));
      return ok(tenant);
    });
  }
}
