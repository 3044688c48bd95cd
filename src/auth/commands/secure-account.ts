import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { AccountRecovery } from '../services/account-recovery';
import { EarlierAddresses } from '../services/earlier-addresses';

/**
 * "This was not me": removes every sign-in method except for the mailbox, with the token of a
 * security email (see AccountRecovery). A second factor stays, unless it was added in the last
 * three days. If the email was sent to an earlier address, the change of it is undone: a thief may
 * have made it before the email was read. RESET_TOKEN_INVALID, also if that is not possible any
 * more; RESET_TOKEN_EXPIRED.
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
    private readonly accountRecovery: AccountRecovery,
    private readonly earlierAddresses: EarlierAddresses,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ token }: SecureAccount) {
    const secured = await this.secure(token);
    if (secured.ok || secured.failure.code === AuthFailures.resetExpired.code) return secured;
    const sent = await this.tokens.peek('securing', token);
    if (!sent.ok) return sent;
    const { userId, mailedTo } = sent.value;
    return mailedTo === null ? secured : this.restore(token, userId, mailedTo);
  }

  private secure(token: string) {
    return this.unitOfWork.transaction(async () => {
      const owner = await this.tokens.consume('securing', token);
      if (!owner.ok) return owner;
      const user = await this.users.lock(owner.value.userId);
      if (!user) return err(AuthFailures.resetInvalid);
      await this.accountRecovery.recover(user, this.clock.now());
      return ok();
    });
  }

  /** The token can be consumed once the account has the address again. */
  private async restore(token: string, userId: string, address: string) {
    const restored = await this.earlierAddresses.restore(userId, address, async () => {
      const owner = await this.tokens.consume('securing', token);
      return owner.ok ? ok() : owner;
    });
    if (restored.ok) return restored;
    const { resetExpired, resetInvalid } = AuthFailures;
    return err(restored.failure.code === resetExpired.code ? resetExpired : resetInvalid); // or the address is taken
  }
}
