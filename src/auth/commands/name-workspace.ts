import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { TenantProvisioning } from '../../tenants/tenants.api';
import { UserRepository } from '../../users/users.api';

/**
 * Calls the workspace of an account that was just verified after its owner: somebody else may have
 * registered the address first, by another name.
 */
@Job('name-workspace')
export class NameWorkspace extends Command<Result> {
  constructor(
    readonly userId: string,
    readonly tenantId: string,
  ) {
    super();
  }
}

@CommandHandler(NameWorkspace)
export class NameWorkspaceHandler implements ICommandHandler<NameWorkspace> {
  constructor(
    private readonly users: UserRepository,
    private readonly tenantProvisioning: TenantProvisioning,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ userId, tenantId }: NameWorkspace): Promise<Result> {
    const user = await this.users.findById(userId);
    if (!user) return ok();
    const renamed = await this.unitOfWork.inTenant({ tenantId }, async () => {
      await this.tenantProvisioning.rename(tenantId, { userId, impersonatorId: null }, user.name);
      return ok();
    });
    return renamed.ok || renamed.failure.code === 'NOT_FOUND' ? ok() : renamed; // the tenant may be gone
  }
}
