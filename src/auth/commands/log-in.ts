import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { ok, type Result } from '../../platform/result';
import { PasswordHasher, UserRepository, type User } from '../../users/users.api';
import { KnownDevices } from '../services/known-devices';
import { PasswordVerifier } from '../services/password-verifier';
import type { SignedIn } from '../services/second-factor-tickets';
import { SessionIssuer } from '../services/session-issuer';
import { securityMailNow } from './send-security-mail';

/**
 * Signs a user in with a password. INVALID_CREDENTIALS, with the same response and the same work
 * for an unknown address; EMAIL_NOT_VERIFIED and ACCOUNT_DISABLED only with the correct password;
 * TOO_MANY_ATTEMPTS.
 */
export class LogIn extends Command<
  Result<
    SignedIn,
    'ACCOUNT_DISABLED' | 'EMAIL_NOT_VERIFIED' | 'INVALID_CREDENTIALS' | 'TOO_MANY_ATTEMPTS' | 'UNAVAILABLE'
  >
> {
  constructor(
    readonly email: string,
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(LogIn)
export class LogInHandler implements ICommandHandler<LogIn> {
  constructor(
    private readonly passwordVerifier: PasswordVerifier,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly devices: KnownDevices,
    private readonly issuer: SessionIssuer,
    private readonly clock: Clock,
  ) {}

  async execute({ email, password }: LogIn) {
    const account = await this.users.findForPassword(email);
    const verified = await this.passwordVerifier.verify(
      account?.user ?? null,
      email,
      password,
      account?.registeredHashes,
    );
    if (!verified.ok) return verified;
    const rehashed = await this.rehashIfOutdated(verified.value, password);
    if (!rehashed.ok) return rehashed;
    const user = rehashed.value;
    await this.provePassword(user);
    const newDeviceJob = securityMailNow(user.id, 'new-device', this.clock.now());
    return this.issuer.open(user, { method: 'password' }, { newDeviceJob });
  }

  /** In a browser in which the mailbox was proven, the password is that of its owner. */
  private async provePassword(user: User): Promise<void> {
    if (!user.isPasswordInDoubt || !this.devices.isProven(user.id)) return;
    user.provePassword(this.clock.now());
    await this.users.storePasswordProof(user);
  }

  /**
   * Replaces a hash with outdated parameters, because only a sign-in has the password. If another
   * sign-in replaces it at the same time, the password is verified again with the stored hash.
   */
  private async rehashIfOutdated(user: User, password: string) {
    if (user.passwordHash === null || !user.isEmailVerified || !this.passwords.isOutdated(user.passwordHash))
      return ok(user);
    const hashed = await this.passwords.hash(password);
    if (!hashed.ok) return ok(user); // the hasher is busy: try again at the next sign-in
    if (!(await this.users.replaceHash(user.id, user.passwordHash, hashed.value))) {
      return this.passwordVerifier.verify(await this.users.findById(user.id), user.email, password);
    }
    user.changePassword(hashed.value);
    return ok(user);
  }
}
