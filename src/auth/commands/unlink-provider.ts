import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { RemainingSignInMethods } from '../../factors/factors.api';
import { LinkedProviderRepository, UserRepository, type Provider } from '../../users/users.api';
import { ProviderUnlinked } from '../auth.events';
import { AuthFailures } from '../auth.failures';

/**
 * Unlinks an identity provider from the caller's account. A later sign-in with the same verified
 * address links it again. NOT_FOUND if it is not linked; LAST_WAY_IN if nothing else opens the
 * account (see RemainingSignInMethods).
 */
export class UnlinkProvider extends Command<Result<void, 'LAST_WAY_IN' | 'NOT_FOUND' | 'UNAUTHENTICATED'>> {
  constructor(
    readonly actor: Actor,
    readonly provider: Provider,
  ) {
    super();
  }
}

@CommandHandler(UnlinkProvider)
export class UnlinkProviderHandler implements ICommandHandler<UnlinkProvider> {
  constructor(
    private readonly users: UserRepository,
    private readonly linkedProviders: LinkedProviderRepository,
    private readonly signInMethods: RemainingSignInMethods,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Locks the account first, so that of two concurrent calls for the last two methods one fails.
   */
  execute({ actor, provider }: UnlinkProvider) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      const [unlinked] = await this.linkedProviders.unlink(user.id, [provider]);
      if (!unlinked) return err(PlatformFailures.notFound);
      if (!(await this.signInMethods.exist(user))) return err(AuthFailures.lastWayIn);
      await this.events.publish(new ProviderUnlinked(user.id, provider));
      return ok();
    });
  }
}
