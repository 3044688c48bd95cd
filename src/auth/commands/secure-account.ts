import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { LinkedProviderRepository, PROVIDERS, UserRepository } from '../../users/users.api';
import { AccountSecured, ProviderUnlinked } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { SessionRepository } from '../data/session.repository';

/**
 * "This was not me": takes every way into the account but the mailbox away, with the token of a
 * mail about its security. All sessions and open links end, providers are unlinked, and the
 * password must be set anew. RESET_TOKEN_INVALID or _EXPIRED.
 */
export class SecureAccount extends Command<Result> {
  constructor(readonly token: string) {
    super();
  }
}

@CommandHandler(SecureAccount)
export class SecureAccountHandler implements ICommandHandler<SecureAccount> {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly users: UserRepository,
    private readonly providers: LinkedProviderRepository,
    private readonly sessions: SessionRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ token }: SecureAccount): Promise<Result> {
    return this.unitOfWork.transaction(async () => {
      const used = await this.tokens.consume('securing', token);
      if (!used.ok) return used;
      const user = await this.users.lock(used.value.userId);
      if (!user) return err(AuthFailures.resetInvalid);
      user.removePassword();
      await this.users.save(user);
      const unlinked = await this.providers.unlink(user.id, PROVIDERS);
      await this.sessions.revokeAll(user.id, this.clock.now(), 'account-secured');
      await this.events.publish(
        new AccountSecured(user.id),
        ...unlinked.map((provider) => new ProviderUnlinked(user.id, provider)),
      );
      return ok();
    });
  }
}
