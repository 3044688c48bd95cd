import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Deferrable, Jobs } from '../../platform/jobs';
import { ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/tenant-scope';
import { UnitOfWork } from '../../platform/unit-of-work';
import { TenantRemoval } from '../data/tenant-removal';

/**
 * Removes what is left of a tenant that was deleted, a batch at a time, and at last its own row.
 * Repeats itself while there is more.
 */
@Deferrable('remove-tenant')
export class RemoveTenant extends Command<Result> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@CommandHandler(RemoveTenant)
export class RemoveTenantHandler implements ICommandHandler<RemoveTenant> {
  constructor(
    private readonly removal: TenantRemoval,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ tenantId }: RemoveTenant) {
    return this.unitOfWork.within(EVERY_TENANT, async () => {
      if (await this.removal.removeBatch(tenantId)) await this.jobs.later(new RemoveTenant(tenantId));
      else await this.removal.removeTenant(tenantId);
      return ok();
    });
  }
}
