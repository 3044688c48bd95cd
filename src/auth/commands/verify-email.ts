import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { err, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { UserRepository } from '../../users/users.contract';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { SessionIssuer } from '../session-issuer';
import type { TokenPair } from '../token-pair';

/**
 * Uses a verification token up: the address is proven, every other open link of its owner withdrawn, and they are signed in.
 * VERIFICATION_TOKEN_INVALID, also for a verified account, or _EXPIRED.
 */
export class VerifyEmail extends Command<Result<TokenPair>> {
  constructor(readonly token: string) {
    super();
  }
}

@CommandHandler(VerifyEmail)
export class VerifyEmailHandler implements ICommandHandler<VerifyEmail> {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly users: UserRepository,
    private readonly issuer: SessionIssuer,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ token }: VerifyEmail) {
    return this.unitOfWork.run(async () => {
      const used = await this.tokens.consume('verification', token);
      if (!used.ok) return used;
      const user = await this.users.lock(used.value);
      if (!user || user.isEmailVerified) return err(AuthFailures.verificationInvalid);
      user.verifyEmail(this.clock.now());
      await this.users.save(user);
      await this.tokens.withdrawAll(user.id);
      return this.issuer.open(user, { method: 'verification' });
    });
  }
}
