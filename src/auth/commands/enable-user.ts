import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditLogRepository } from '../../audit/audit.api';
import type { Actor } from '../../http/access/actor';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { AdminCheck, UserRepository } from '../../users/users.api';

/**
 * Opens a disabled account again; its sessions stay ended. Twice is as once. NOT_FOUND; FORBIDDEN
 * for who is an admin by an old token only.
 */
export class EnableUser extends Command<Result> {
  constructor(
    readonly actor: Actor,
    readonly userId: string,
  ) {
    super();
  }
}

@CommandHandler(EnableUser)
export class EnableUserHandler implements ICommandHandler<EnableUser> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly users: UserRepository,
    private readonly auditLogRepository: AuditLogRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, userId }: EnableUser) {
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const user = await this.users.lock(userId);
      if (!user) return err(PlatformFailures.notFound);
      if (!user.disabledAt) return ok();
      user.enable();
      await this.users.save(user);
      await this.auditLogRepository.append([
        { action: 'user.enabled', by: actor, tenantId: null, target: { type: 'user', id: userId }, data: {} },
      ]);
      return ok();
    });
  }
}
