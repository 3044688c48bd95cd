import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck, UserRepository } from '../../users/users.api';
import { UserEnabled } from '../domain/operator-events';

/**
 * Enables a disabled account. Its sessions stay revoked. Idempotent. NOT_FOUND; FORBIDDEN if the
 * caller's admin flag was revoked after the token was issued.
 */
export class EnableUser extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
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
    private readonly events: DomainEvents,
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
      await this.events.publish(new UserEnabled(actor, userId));
      return ok();
    });
  }
}
