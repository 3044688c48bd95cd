import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../data/user.repository';
import { toUserProfile, type UserProfile } from '../domain/user-profile';
import { UserRenamed } from '../users.events';

/** Changes the caller's display name. Access tokens carry the new name from the next refresh on. */
export class RenameUser extends Command<Result<UserProfile, 'UNAUTHENTICATED'>> {
  constructor(
    readonly actor: Actor,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(RenameUser)
export class RenameUserHandler implements ICommandHandler<RenameUser> {
  constructor(
    private readonly users: UserRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  execute({ actor, name }: RenameUser) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated); // deleted after the token was issued
      if (user.name !== name) {
        user.rename(name);
        await this.users.save(user);
        await this.events.publish(new UserRenamed(actor, user));
      }
      return ok(toUserProfile(user, this.settings.adminEmails, actor.isAdmin));
    });
  }
}
