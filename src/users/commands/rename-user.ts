import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { UserRepository } from '../data/user.repository';
import { UserView } from '../users.views';

/** Changes one's own display name. Tokens carry the new one from the next refresh on. */
export class RenameUser extends Command<Result<UserView>> {
  constructor(
    readonly userId: string,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(RenameUser)
export class RenameUserHandler implements ICommandHandler<RenameUser> {
  constructor(
    private readonly users: UserRepository,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  execute({ userId, name }: RenameUser) {
    return this.unitOfWork.run(async () => {
      const user = await this.users.lock(userId);
      if (!user) return err(PlatformFailures.unauthenticated); // the account went while its token still lived
      user.rename(name);
      await this.users.save(user);
      return ok(UserView.of(user, this.settings.adminEmails));
    });
  }
}
