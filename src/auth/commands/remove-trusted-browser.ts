import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { PlatformFailures } from '../../platform/platform.failures';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { TrustedBrowserRepository } from '../data/trusted-browser.repository';

/** Trusts one browser of the caller no more. NOT_FOUND. */
export class RemoveTrustedBrowser extends Command<Result<void, 'NOT_FOUND'>> {
  constructor(
    readonly actor: Pick<Actor, 'userId'>,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveTrustedBrowser)
export class RemoveTrustedBrowserHandler implements ICommandHandler<RemoveTrustedBrowser> {
  constructor(
    private readonly users: UserRepository,
    private readonly trustedBrowsers: TrustedBrowserRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Locks the account first, so that a sign-in in the browser comes before or after. */
  execute({ actor: { userId }, id }: RemoveTrustedBrowser) {
    return this.unitOfWork.transaction(async () => {
      await this.users.lock(userId);
      return (await this.trustedBrowsers.remove(userId, id)) ? ok() : err(PlatformFailures.notFound);
    });
  }
}
