import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { TrustedBrowserRepository } from '../data/trusted-browser.repository';

/** Stops trusting all browsers of the caller. */
export class RemoveTrustedBrowsers extends Command<Result> {
  constructor(readonly actor: Pick<Actor, 'userId'>) {
    super();
  }
}

@CommandHandler(RemoveTrustedBrowsers)
export class RemoveTrustedBrowsersHandler implements ICommandHandler<RemoveTrustedBrowsers> {
  constructor(
    private readonly users: UserRepository,
    private readonly trustedBrowsers: TrustedBrowserRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Locks the account first, so that a sign-in in the browser comes before or after. */
  execute({ actor: { userId } }: RemoveTrustedBrowsers): Promise<Result> {
    return this.unitOfWork.transaction(async () => {
      await this.users.lock(userId);
      await this.trustedBrowsers.removeAll(userId);
      return ok();
    });
  }
}
