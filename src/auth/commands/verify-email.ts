import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { checkNewPassword, PasswordHasher, RegistrationRepository, UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { UnverifiedAccountTakeover } from '../services/unverified-account-takeover';
import { SessionIssuer } from '../services/session-issuer';
import type { TokenPair } from '../domain/token-pair';

/**
 * Uses a verification token up: the address is proven, with the password and name of the
 * registration that the token was mailed for; every other registration and open link goes, and its
 * owner is signed in. A token of no registration, where some stand, is proof of the mailbox alone:
 * the password goes too. With MAIL_LINKS=confirm a browser that has not made the registration must
 * send a password, which replaces any other (contract section 11, Who set the password).
 * VERIFICATION_TOKEN_INVALID, also for a verified account, or _EXPIRED; VALIDATION_ERROR on
 * `password`.
 */
export class VerifyEmail extends Command<Result<TokenPair>> {
  constructor(
    readonly token: string,
    /** The registration that was made in the same browser. */
    readonly registeredHere?: string,
    readonly password?: string,
  ) {
    super();
  }
}

@CommandHandler(VerifyEmail)
export class VerifyEmailHandler implements ICommandHandler<VerifyEmail> {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly users: UserRepository,
    private readonly registrations: RegistrationRepository,
    private readonly passwords: PasswordHasher,
    private readonly unverifiedAccountTakeover: UnverifiedAccountTakeover,
    private readonly issuer: SessionIssuer,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The token is used up last of all: a password that is missing or refused, or a service too busy
   * to hash it, costs the person nothing.
   */
  async execute(command: VerifyEmail): Promise<Result<TokenPair>> {
    const hashed = this.settings.mail.links === 'confirm' ? await this.hashOfMailboxHolder(command) : ok(undefined);
    return hashed.ok ? this.verify(command.token, hashed.value) : hashed;
  }

  /**
   * The hash of the password that was sent; undefined where none is needed. One that equals the
   * registration's is as good as a new one.
   */
  private async hashOfMailboxHolder({
    token,
    registeredHere,
    password,
  }: VerifyEmail): Promise<Result<string | undefined>> {
    const owner = await this.tokens.peek('verification', token);
    if (!owner.ok) return owner;
    const { userId, registrationId } = owner.value;
    const user = await this.users.findById(userId);
    if (!user || user.isEmailVerified) return err(AuthFailures.verificationInvalid);
    if (password === undefined && registrationId === null) return err(NEW_PASSWORD_MISSING);
    if (password === undefined) return registrationId === registeredHere ? ok(undefined) : err(PASSWORD_MISSING);
    const acceptable = checkNewPassword(password, user.email, 'password');
    return acceptable.ok ? this.passwords.hash(password) : acceptable;
  }

  private verify(token: string, passwordHash: string | undefined): Promise<Result<TokenPair>> {
    return this.unitOfWork.transaction(async () => {
      const used = await this.tokens.consume('verification', token);
      if (!used.ok) return used;
      const { userId, registrationId } = used.value;
      const user = await this.users.lock(userId);
      if (!user || user.isEmailVerified) return err(AuthFailures.verificationInvalid);
      const now = this.clock.now();
      const standing = await this.registrations.standingOf(user.id);
      const registration = standing.find(({ id }) => id === registrationId);
      if (!passwordHash && !registration && standing.length > 0) {
        // nobody can tell whose of these passwords is the reader's
        const passwordRemoved = await this.unverifiedAccountTakeover.claim(user);
        return this.issuer.open(user, { method: 'verification', passwordRemoved });
      }
      if (passwordHash) user.activate(registration?.name ?? user.name, passwordHash, now, now);
      else if (registration) user.activate(registration.name, registration.passwordHash, registration.createdAt, now);
      else user.verifyEmail(now); // an account from before registrations were kept
      await this.users.save(user);
      await this.tokens.withdrawAll(user.id);
      await this.unverifiedAccountTakeover.settle(user);
      return this.issuer.open(user, { method: 'verification' });
    });
  }
}

const NEW_PASSWORD_MISSING = invalid({
  password: ['is needed, because the link is for no single registration: choose a new one'],
});
const PASSWORD_MISSING = invalid({
  password: ['is needed, because the account was made in another browser: the one that was chosen, or a new one'],
});
