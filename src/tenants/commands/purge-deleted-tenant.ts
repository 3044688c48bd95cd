import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { TenantDeletion } from '../data/tenant-deletion';

/**
 * Removes the remaining rows of a deleted tenant in batches, and finally the tenant's own row.
 * Enqueues itself again while there is more.
 */
@Job('remove-tenant')
export class PurgeDeletedTenant extends Command<Result> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@CommandHandler(PurgeDeletedTenant)
export class PurgeDeletedTenantHandler implements ICommandHandler<PurgeDeletedTenant> {
  constructor(
    private readonly tenantDeletion: TenantDeletion,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ tenantId }: PurgeDeletedTenant) {
    return this.unitOfWork.acrossTenants(async () => {
      if (await this.tenantDeletion.removeBatch(tenantId)) await this.jobs.enqueue(new PurgeDeletedTenant(tenantId));
      else await this.tenantDeletion.removeTenant(tenantId);
      return ok();
    });
  }
}
