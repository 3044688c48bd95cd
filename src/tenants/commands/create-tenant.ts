import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import type { ActorRef } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { Tenant } from '../domain/tenant';
import { TenantProvisioning } from '../services/tenant-provisioning';
import type { TenantView } from '../http/views/tenants.views';

/** Founds a tenant with the caller as its Owner; switching to it makes it active. LIMIT_REACHED. */
export class CreateTenant extends Command<Result<TenantView>> {
  constructor(
    readonly founder: ActorRef & { readonly userId: string },
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(CreateTenant)
export class CreateTenantHandler implements ICommandHandler<CreateTenant> {
  constructor(
    private readonly tenantProvisioning: TenantProvisioning,
    private readonly memberships: MembershipRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ founder, name }: CreateTenant) {
    const tenant = Tenant.create(name, this.clock.now());
    return this.unitOfWork.inTenant(
      { tenantId: tenant.id },
      async () => {
        const room = await this.memberships.lockTenantQuota(founder.userId);
        if (!room.ok) return room;
        await this.tenantProvisioning.provision(tenant, founder);
        return ok(tenant);
      },
      'none',
    );
  }
}
