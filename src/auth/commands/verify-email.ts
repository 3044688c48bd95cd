import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { err, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { RegistrationRepository, UserRepository } from '../../users/users.contract';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { MailboxClaim } from '../mailbox-claim';
import { SessionIssuer } from '../session-issuer';
import type { TokenPair } from '../token-pair';

/**
 * Uses a verification token up: the address is proven, with the password and name of the registration that the token was mailed for; every other
 * registration and open link goes, and its owner is signed in.
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
    private readonly registrations: RegistrationRepository,
    private readonly mailbox: MailboxClaim,
    private readonly issuer: SessionIssuer,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ token }: VerifyEmail) {
    return this.unitOfWork.run(async () => {
      const used = await this.tokens.consume('verification', token);
      if (!used.ok) return used;
      const { userId, registrationId } = used.value;
      const user = await this.users.lock(userId);
      if (!user || user.isEmailVerified) return err(AuthFailures.verificationInvalid);
      const registration = registrationId && (await this.registrations.find(registrationId));
      if (registration) user.activate(registration.name, registration.passwordHash, registration.createdAt, this.clock.now());
      else user.verifyEmail(this.clock.now()); // an account from before registrations were kept
      await this.users.save(user);
      await this.tokens.withdrawAll(user.id);
      await this.mailbox.settle(user);
      return this.issuer.open(user, { method: 'verification' });
    });
  }
}
