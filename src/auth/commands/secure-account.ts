import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PasskeyRemoved, PasskeyRepository, SecondFactorRemoval } from '../../factors/factors.api';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { LinkedProviderRepository, PROVIDERS, UserRepository } from '../../users/users.api';
import { AccountSecured, ProviderUnlinked } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { SessionRevoker } from '../services/session-revoker';

/** A second factor that was added so lately may be that of whoever broke in, and is removed. */
const NEW_FACTOR_SECONDS = 3 * DAY;

/**
 * "This was not me": removes every sign-in method except for the mailbox, with the token of a
 * security email. All sessions and open links end, passkeys are removed, providers are unlinked,
 * and a new password must be set. A second factor stays, unless it was added in the last three
 * days. RESET_TOKEN_INVALID; RESET_TOKEN_EXPIRED.
 */
export class SecureAccount extends Command<Result<void, 'RESET_TOKEN_EXPIRED' | 'RESET_TOKEN_INVALID'>> {
  constructor(readonly token: string) {
    super();
  }
}

@CommandHandler(SecureAccount)
export class SecureAccountHandler implements ICommandHandler<SecureAccount> {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly users: UserRepository,
    private readonly linkedProviders: LinkedProviderRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly sessionRevoker: SessionRevoker,
    private readonly events: DomainEvents,
    private readonly secondFactorRemoval: SecondFactorRemoval,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ token }: SecureAccount) {
    return this.unitOfWork.transaction(async () => {
      const owner = await this.tokens.consume('securing', token);
      if (!owner.ok) return owner;
      const user = await this.users.lock(owner.value.userId);
      if (!user) return err(AuthFailures.resetInvalid);
      user.removePassword();
      await this.users.save(user);
      await this.secondFactorRemoval.removeNewerThan(user, addSeconds(this.clock.now(), -NEW_FACTOR_SECONDS));
      const unlinked = await this.linkedProviders.unlink(user.id, PROVIDERS);
      const passkeys = await this.passkeys.removeAll(user.id);
      await this.sessionRevoker.revokeAll(user.id, 'account-secured');
      await this.events.publish(
        new AccountSecured(user.id),
        ...unlinked.map((provider) => new ProviderUnlinked(user.id, provider)),
        ...passkeys.map((passkey) => new PasskeyRemoved(passkey, 'account-secured')),
      );
      return ok();
    });
  }
}
