import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { PasswordHasher, type User } from '../../users/users.api';
import { SignInFailed } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { AuthMetrics } from './auth-metrics';
import { KnownDevices } from './known-devices';
import { LoginLimits } from './login-limits';

/**
 * Verifies the current password of an account. Attempts are rate-limited, and an address without an
 * account takes as long as one with an account.
 */
@Injectable()
export class PasswordVerifier {
  constructor(
    private readonly loginLimits: LoginLimits,
    private readonly devices: KnownDevices,
    private readonly passwords: PasswordHasher,
    private readonly metrics: AuthMetrics,
    private readonly events: DomainEvents,
  ) {}

  /**
   * @param hashes the hashes of all registrations of an unverified account
   * @returns the account; INVALID_CREDENTIALS; TOO_MANY_ATTEMPTS; UNAVAILABLE if too many hashes
   * are queued
   */
  async verify(
    user: User | null,
    email: string,
    password: string,
    hashes: readonly string[] = [],
  ): Promise<Result<User, 'INVALID_CREDENTIALS' | 'TOO_MANY_ATTEMPTS' | 'UNAVAILABLE'>> {
    const deviceId = user ? this.devices.idFor(user.id) : undefined;
    const admitted = await this.loginLimits.begin(email, deviceId);
    if (!admitted.ok) return admitted;
    const attempt = admitted.value;
    let matches: Result<boolean, 'UNAVAILABLE'>;
    try {
      matches =
        hashes.length > 0
          ? await this.passwords.verifyAny(hashes, password)
          : await this.passwords.verify(user?.passwordHash, password, deviceId && user?.id);
    } catch (error) {
      await attempt.cancel();
      throw error;
    }
    if (!matches.ok) {
      await attempt.cancel();
      return matches;
    }
    if (!matches.value || !user) {
      await attempt.fail();
      this.metrics.countLoginFailure();
      if (user) await this.events.publish(new SignInFailed(user.id));
      return err(AuthFailures.invalidCredentials);
    }
    await attempt.succeed();
    return ok(user);
  }
}
