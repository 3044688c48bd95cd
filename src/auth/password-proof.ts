import { Injectable } from '@nestjs/common';
import { err, ok, type Result } from '../platform/result';
import { PasswordHasher, type User } from '../users/users.contract';
import { AuthFailures } from './auth.failures';
import { LoginAttempts } from './login-attempts';

/** Wherever a password is asked for: limited against guessing, and as slow for an address without account as for one with. */
@Injectable()
export class PasswordProof {
  constructor(
    private readonly attempts: LoginAttempts,
    private readonly passwords: PasswordHasher,
  ) {}

  /**
   * The account, if this is its password; else INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS, or UNAVAILABLE when too many hashes are waiting.
   * @param hashes where it has several, as an unverified account may
   */
  async of(user: User | null, email: string, password: string, hashes: readonly string[] = []): Promise<Result<User>> {
    const attempt = await this.attempts.begin(email);
    if (!attempt.ok) return attempt;
    const right = hashes.length > 0 ? await this.passwords.verifyAny(hashes, password) : await this.passwords.verify(user?.passwordHash, password);
    if (!right.ok) {
      await attempt.value.withdrawn();
      return right;
    }
    if (!right.value || !user) return err(AuthFailures.invalidCredentials);
    await attempt.value.succeeded();
    return ok(user);
  }
}
