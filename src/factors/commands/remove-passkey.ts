import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { PasskeyRepository } from '../data/passkey.repository';
import { passkeyIdOf } from '../domain/passkey';
import { PasskeyRemoved, type FactorActor } from '../factors.events';
import { FactorFailures } from '../factors.failures';
import { RemainingSignInMethods } from '../services/remaining-sign-in-methods';

/**
 * Removes a passkey of the caller, which signs in no more. Sessions stay. NOT_FOUND; LAST_WAY_IN if
 * nothing else opens the account (see RemainingSignInMethods).
 */
export class RemovePasskey extends Command<Result<void, 'LAST_WAY_IN' | 'NOT_FOUND' | 'UNAUTHENTICATED'>> {
  constructor(
    readonly actor: FactorActor,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RemovePasskey)
export class RemovePasskeyHandler implements ICommandHandler<RemovePasskey> {
  constructor(
    private readonly users: UserRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly signInMethods: RemainingSignInMethods,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Locks the account first, so that of two concurrent calls for the last two methods one fails.
   */
  execute({ actor, id }: RemovePasskey) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      const removed = await this.passkeys.remove(user.id, passkeyIdOf(id));
      if (!removed) return err(PlatformFailures.notFound);
      if (!(await this.signInMethods.exist(user))) return err(FactorFailures.lastWayIn);
      await this.events.publish(new PasskeyRemoved(removed, 'removed'));
      return ok();
    });
  }
}
