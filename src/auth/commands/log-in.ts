import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ok, type Result } from '../../platform/result';
import { PasswordHasher, UserRepository, type User } from '../../users/users.api';
import { PasswordVerifier } from '../services/password-verifier';
import { SessionIssuer } from '../services/session-issuer';
import type { TokenPair } from '../domain/token-pair';

/**
 * Signs a person in by password. INVALID_CREDENTIALS, with the same answer and the same work for an
 * unknown address; EMAIL_NOT_VERIFIED and ACCOUNT_DISABLED only with the right password;
 * TOO_MANY_ATTEMPTS.
 */
export class LogIn extends Command<Result<TokenPair>> {
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
    private readonly issuer: SessionIssuer,
  ) {}

  async execute({ email, password }: LogIn): Promise<Result<TokenPair>> {
    const known = await this.users.findForPassword(email);
    const proven = await this.passwordVerifier.of(known?.user ?? null, email, password, known?.registeredHashes);
    if (!proven.ok) return proven;
    const current = await this.strengthen(proven.value, password);
    return current.ok ? this.issuer.open(current.value, { method: 'password' }) : current;
  }

  /**
   * Hashes the password anew where today's parameters ask for more; only here is it at hand.
   * Another login may be doing the same: who comes second proves the password once more, against
   * what the first has stored.
   */
  private async strengthen(user: User, password: string): Promise<Result<User>> {
    if (user.passwordHash === null || !user.isEmailVerified || !this.passwords.isOutdated(user.passwordHash))
      return ok(user);
    const hashed = await this.passwords.hash(password);
    if (!hashed.ok) return ok(user); // too busy: at the next login
    if (!(await this.users.replaceHash(user.id, user.passwordHash, hashed.value))) {
      return this.passwordVerifier.of(await this.users.findById(user.id), user.email, password);
    }
    user.changePassword(hashed.value);
    return ok(user);
  }
}
