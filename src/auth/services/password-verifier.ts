import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { PasswordHasher, type User } from '../../users/users.api';
import { SignInFailed } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { AuthMetrics } from './auth-metrics';
import { KnownDevices } from './known-devices';
import { LoginAttempts } from './login-attempts';

/**
 * Wherever a password is asked for: limited against guessing, and as slow for an address without
 * account as for one with.
 */
@Injectable()
export class PasswordVerifier {
  constructor(
    private readonly attempts: LoginAttempts,
    private readonly devices: KnownDevices,
    private readonly passwords: PasswordHasher,
    private readonly metrics: AuthMetrics,
    private readonly events: DomainEvents,
  ) {}

  /**
   * The account, if this is its password; else INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS, or
   * UNAVAILABLE when too many hashes are waiting.
   * @param hashes where it has several, as an unverified account may
   */
  async of(user: User | null, email: string, password: string, hashes: readonly string[] = []): Promise<Result<User>> {
    const deviceId = user ? this.devices.idFor(user.id) : undefined;
    const begun = await this.attempts.begin(email, deviceId);
    if (!begun.ok) return begun;
    const attempt = begun.value;
    let right: Result<boolean>;
    try {
      right =
        hashes.length > 0
          ? await this.passwords.verifyAny(hashes, password)
          : await this.passwords.verify(user?.passwordHash, password, deviceId && user?.id);
    } catch (error) {
      await attempt.withdrawn();
      throw error;
    }
    if (!right.ok) {
      await attempt.withdrawn();
      return right;
    }
    if (!right.value || !user) {
      await attempt.failed();
      this.metrics.passwordWasWrong();
      if (user) await this.events.publish(new SignInFailed(user.id));
      return err(AuthFailures.invalidCredentials);
    }
    await attempt.succeeded();
    return ok(user);
  }
}
