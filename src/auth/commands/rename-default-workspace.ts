import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { TenantProvisioning } from '../../tenants/tenants.api';
import { UserRepository } from '../../users/users.api';

/**
 * Renames the workspace of a newly verified account after its owner. A stranger may have registered
 * the address first, under another name.
 */
@Job('name-workspace')
export class RenameDefaultWorkspace extends Command<Result<void, 'NOT_FOUND'>> {
  constructor(
    readonly userId: string,
    readonly tenantId: string,
  ) {
    super();
  }
}

@CommandHandler(RenameDefaultWorkspace)
export class RenameDefaultWorkspaceHandler implements ICommandHandler<RenameDefaultWorkspace> {
  constructor(
    private readonly users: UserRepository,
    private readonly tenantProvisioning: TenantProvisioning,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ userId, tenantId }: RenameDefaultWorkspace) {
    const user = await this.users.findById(userId);
    if (!user) return ok();
    const renamed = await this.unitOfWork.inTenant({ tenantId }, async () => {
      await this.tenantProvisioning.rename(tenantId, { userId, impersonatorId: null }, user.name);
      return ok();
    });
    return renamed.ok || renamed.failure.code === 'NOT_FOUND' ? ok() : renamed; // the tenant may have been deleted
  }
}
