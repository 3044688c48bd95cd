import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { AccountRecovery } from '../services/account-recovery';

/**
 * "This was not me": removes every sign-in method except for the mailbox, with the token of a
 * security email (see AccountRecovery). A second factor stays, unless it was added in the last
 * three days. RESET_TOKEN_INVALID; RESET_TOKEN_EXPIRED.
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
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ token }: SecureAccount) {
    return this.unitOfWork.transaction(async () => {
      const owner = await this.tokens.consume('securing', token);
      if (!owner.ok) return owner;
      const user = await this.users.lock(owner.value.userId);
      if (!user) return err(AuthFailures.resetInvalid);
      await this.accountRecovery.recover(user, this.clock.now());
      return ok();
    });
  }
}
