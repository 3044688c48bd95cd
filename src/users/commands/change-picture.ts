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
import { UserPicture } from '../domain/user-picture';
import { toUserProfile, type UserProfile } from '../domain/user-profile';
import { PictureEncoder } from '../services/picture-encoder';
import { UserPictureChanged } from '../users.events';

/**
 * Replaces the caller's picture by an uploaded image. VALIDATION_ERROR if it is no image;
 * RATE_LIMITED if too many wait.
 */
export class ChangePicture extends Command<
  Result<UserProfile, 'RATE_LIMITED' | 'UNAUTHENTICATED' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: Actor,
    readonly upload: Buffer,
  ) {
    super();
  }
}

@CommandHandler(ChangePicture)
export class ChangePictureHandler implements ICommandHandler<ChangePicture> {
  constructor(
    private readonly users: UserRepository,
    private readonly pictures: UserPictureRepository,
    private readonly encoder: PictureEncoder,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ actor, upload }: ChangePicture) {
    const encoded = await this.encoder.encode(upload);
    if (!encoded.ok) return encoded;
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      const picture = UserPicture.of(user.id, encoded.value);
      await this.pictures.put(picture);
      user.choosePicture(`${this.settings.baseUrl}/api/v1/pictures/${picture.key}`);
      await this.users.save(user);
      await this.events.publish(new UserPictureChanged(actor, user.id));
      return ok(toUserProfile(user, this.settings.adminEmails, actor.isAdmin));
    });
  }
}
