import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import type { ActorRef } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { Tenant } from '../domain/tenant';
import { TenantProvisioning } from '../services/tenant-provisioning';
import type { TenantView } from '../http/views/tenants.views';

/** Creates a tenant with the caller as its Owner, without switching to it. LIMIT_REACHED. */
export class CreateTenant extends Command<Result<TenantView, 'LIMIT_REACHED'>> {
  constructor(
    readonly actor: ActorRef & { readonly userId: string },
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

  execute({ actor, name }: CreateTenant) {
    const tenant = Tenant.create(name, this.clock.now());
    return this.unitOfWork.inTenant(
      { tenantId: tenant.id },
      async () => {
        const quota = await this.memberships.lockTenantQuota(actor.userId);
        if (!quota.ok) return quota;
        await this.tenantProvisioning.provision(tenant, actor);
        return ok(tenant);
      },
      'none',
    );
  }
}
