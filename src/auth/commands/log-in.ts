import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Result } from '../../platform/result';
import { PasswordHasher, UserRepository, type User } from '../../users/users.contract';
import { PasswordProof } from '../password-proof';
import { SessionIssuer } from '../session-issuer';
import type { TokenPair } from '../token-pair';

/**
 * Signs a person in by password. INVALID_CREDENTIALS, with the same answer and the same work for an unknown address; EMAIL_NOT_VERIFIED and
 * ACCOUNT_DISABLED only with the right password; TOO_MANY_ATTEMPTS.
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
    private readonly proof: PasswordProof,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly issuer: SessionIssuer,
  ) {}

  async execute({ email, password }: LogIn): Promise<Result<TokenPair>> {
    const proven = await this.proof.of(await this.users.findByEmail(email), email, password);
    if (!proven.ok) return proven;
    await this.strengthen(proven.value, password);
    return this.issuer.open(proven.value);
  }

  /** Hashes the password anew where today's parameters ask for more. Only here is the password at hand. */
  private async strengthen(user: User, password: string): Promise<void> {
    if (user.passwordHash === null || !this.passwords.isOutdated(user.passwordHash)) return;
    const hashed = await this.passwords.hash(password);
    if (!hashed.ok) return; // too busy: at the next login
    await this.users.replaceHash(user.id, user.passwordHash, hashed.value);
    user.changePassword(hashed.value);
  }
}
