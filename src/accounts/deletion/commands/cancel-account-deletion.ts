import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { AccountKeeper } from '../services/account-keeper';

/** Keeps the caller's account. Idempotent. */
export class CancelAccountDeletion extends Command<Result<void, 'UNAUTHENTICATED'>> {
  constructor(readonly actor: Actor) {
    super();
  }
}

@CommandHandler(CancelAccountDeletion)
export class CancelAccountDeletionHandler implements ICommandHandler<CancelAccountDeletion> {
  constructor(
    private readonly accountKeeper: AccountKeeper,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor }: CancelAccountDeletion) {
    return this.unitOfWork.transaction(async () => {
      const isFound = await this.accountKeeper.keep(actor.userId, 'kept');
      return isFound ? ok() : err(PlatformFailures.unauthenticated); // deleted after the token was issued
    });
  }
}
