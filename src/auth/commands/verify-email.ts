import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { nameFromEmail } from '../../platform/text/typed-text';
import { checkNewPassword, PasswordHasher, RegistrationRepository, UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import type { SignedIn } from '../services/second-factor-tickets';
import { SessionIssuer } from '../services/session-issuer';
import { UnverifiedAccountTakeover } from '../services/unverified-account-takeover';

const NEW_PASSWORD_REQUIRED = invalid({
  password: ['is required because the address was registered more than once; choose a new one'],
});
const PASSWORD_REQUIRED = invalid({
  password: ['is required because the account was created in another browser; enter yours, or choose a new one'],
});

/**
 * Verifies an address with an emailed token, applies the name and password of the registration that
 * the token was sent for, discards all other registrations and open links, and signs the user in. A
 * token without a registration proves only the mailbox: if registrations exist, the password is
 * removed. With MAIL_LINKS=confirm, a browser other than the registering one must send a password,
 * which replaces the registered one (docs/contract.md, Registration and verification).
 * VERIFICATION_TOKEN_INVALID, also for a verified account; VERIFICATION_TOKEN_EXPIRED;
 * VALIDATION_ERROR on `password`.
 */
export class VerifyEmail extends Command<
  Result<
    SignedIn,
    | 'ACCOUNT_DISABLED'
    | 'UNAVAILABLE'
    | 'VALIDATION_ERROR'
    | 'VERIFICATION_TOKEN_EXPIRED'
    | 'VERIFICATION_TOKEN_INVALID'
  >
> {
  constructor(
    readonly token: string,
    /** The registration that was made in the same browser. */
    readonly browserRegistrationId?: string,
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

  /** The token is consumed last, so that a missing or rejected password does not use it up. */
  async execute(command: VerifyEmail) {
    const hashed = this.settings.mail.links === 'confirm' ? await this.hashRequiredPassword(command) : ok(undefined);
    return hashed.ok ? this.verify(command, hashed.value) : hashed;
  }

  /**
   * The hash of the password in the request; undefined if none is required. The password of the
   * registration is treated like a new one.
   */
  private async hashRequiredPassword({ token, browserRegistrationId, password }: VerifyEmail) {
    const owner = await this.tokens.peek('verification', token);
    if (!owner.ok) return owner;
    const { userId, registrationId } = owner.value;
    const user = await this.users.findById(userId);
    if (!user || user.isEmailVerified) return err(AuthFailures.verificationInvalid);
    if (password === undefined && registrationId === null) return err(NEW_PASSWORD_REQUIRED);
    if (password === undefined)
      return registrationId === browserRegistrationId ? ok(undefined) : err(PASSWORD_REQUIRED);
    const acceptable = checkNewPassword(password, user, 'password');
    return acceptable.ok ? this.passwords.hash(password) : acceptable;
  }

  private verify({ token, browserRegistrationId }: VerifyEmail, passwordHash: string | undefined) {
    return this.unitOfWork.transaction(async () => {
      const owner = await this.tokens.consume('verification', token);
      if (!owner.ok) return owner;
      const { userId, registrationId } = owner.value;
      const user = await this.users.lock(userId);
      if (!user || user.isEmailVerified) return err(AuthFailures.verificationInvalid);
      const now = this.clock.now();
      const registrations = await this.registrations.listByUser(user.id);
      const registration = registrations.find(({ id }) => id === registrationId);
      if (!passwordHash && !registration && registrations.length > 0) {
        // the owner's password is not known among the registered ones
        const passwordRemoved = await this.unverifiedAccountTakeover.takeOver(user);
        return this.issuer.openLocked(user, { method: 'verification', passwordRemoved });
      }
      // without a registration, the name may be a stranger's
      const name = registration?.name ?? (registrations.length > 0 ? nameFromEmail(user.email) : user.name);
      if (passwordHash) user.activate(name, passwordHash, now, now);
      else if (registration) {
        // the link is opened in the browser in which the password was chosen
        const setAt = registration.id === browserRegistrationId ? now : registration.createdAt;
        user.activate(registration.name, registration.passwordHash, setAt, now);
      } else user.verifyEmail(now); // an account from before registrations were stored
      await this.users.save(user);
      await this.tokens.revokeAll(user.id);
      await this.unverifiedAccountTakeover.discardRegistrations(user);
      return this.issuer.openLocked(user, { method: 'verification' });
    });
  }
}
