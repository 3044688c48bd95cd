import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Actor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { LinkedProviderRepository, UserRepository, type Provider } from '../../users/users.api';
import { ProviderUnlinked } from '../auth.events';
import { AuthFailures } from '../auth.failures';

/**
 * Unlinks an identity provider from one's account: that account there signs in here no more, unless
 * by its verified address. NOT_FOUND where it is not linked; LAST_WAY_IN where there is neither a
 * password nor another provider that is set up. A mailed link is not counted as a way in: it needs
 * the mailbox each time.
 */
export class UnlinkProvider extends Command<Result> {
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
    private readonly links: LinkedProviderRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The account is locked first: of two that take the last two ways in away, one is refused. */
  execute({ actor, provider }: UnlinkProvider) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      const [unlinked] = await this.links.unlink(user.id, [provider]);
      if (!unlinked) return err(PlatformFailures.notFound);
      const others = (await this.links.of(user.id)).filter((other) => this.settings.providers[other]);
      if (user.passwordHash === null && others.length === 0) return err(AuthFailures.lastWayIn);
      await this.events.publish(new ProviderUnlinked(user.id, provider));
      return ok();
    });
  }
}
