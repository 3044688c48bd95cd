import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserPictureRepository } from '../data/user-picture.repository';
import { UserRepository } from '../data/user.repository';
import { toUserProfile, type UserProfile } from '../domain/user-profile';
import { UserPictureChanged } from '../users.events';

/** Removes the caller's picture, an uploaded one or that of a provider. Idempotent. */
export class RemovePicture extends Command<Result<UserProfile, 'UNAUTHENTICATED'>> {
  constructor(readonly actor: Actor) {
    super();
  }
}

@CommandHandler(RemovePicture)
export class RemovePictureHandler implements ICommandHandler<RemovePicture> {
  constructor(
    private readonly users: UserRepository,
    private readonly pictures: UserPictureRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  execute({ actor }: RemovePicture) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      if (user.pictureUrl !== null) {
        user.choosePicture(null);
        await this.users.save(user);
        await this.pictures.remove(user.id);
        await this.events.publish(new UserPictureChanged(actor, user.id));
      }
      return ok(toUserProfile(user, this.settings.adminEmails, actor.isAdmin));
    });
  }
}
