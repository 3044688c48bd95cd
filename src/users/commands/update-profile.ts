import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../data/user.repository';
import type { ProfileChanges } from '../domain/user';
import { toUserProfile, type UserProfile } from '../domain/user-profile';
import { UserRenamed } from '../users.events';

/** Changes the caller's profile. Access tokens carry a new name from the next refresh on. */
export class UpdateProfile extends Command<Result<UserProfile, 'UNAUTHENTICATED'>> {
  constructor(
    readonly actor: Actor,
    readonly changes: ProfileChanges,
  ) {
    super();
  }
}

@CommandHandler(UpdateProfile)
export class UpdateProfileHandler implements ICommandHandler<UpdateProfile> {
  constructor(
    private readonly users: UserRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  execute({ actor, changes }: UpdateProfile) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated); // deleted after the token was issued
      const changed = user.updateProfile(changes);
      if (changed.length > 0) await this.users.save(user);
      if (changed.includes('name')) await this.events.publish(new UserRenamed(actor, user));
      return ok(toUserProfile(user, this.settings.adminEmails, actor.isAdmin));
    });
  }
}
