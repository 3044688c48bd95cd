import { Injectable } from '@nestjs/common';
import { type User, UserRepository } from '../../users/users.api';
import { RecoveryCodeRepository } from '../data/recovery-code.repository';
import { TotpFactorRepository } from '../data/totp-factor.repository';
import { FactorResetStop } from './factor-reset-stop';

/** Removes all second factors of an account. */
@Injectable()
export class SecondFactorRemoval {
  constructor(
    private readonly users: UserRepository,
    private readonly totpFactors: TotpFactorRepository,
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly factorResetStop: FactorResetStop,
  ) {}

  /**
   * Removes an authenticator app that was confirmed at `since` or later, with all factors.
   * @param user locked by this transaction
   * @returns whether there was one
   */
  async removeNewerThan(user: User, since: Date): Promise<boolean> {
    const { confirmedAt } = (user.hasSecondFactor && (await this.totpFactors.lock(user.id))) || { confirmedAt: null };
    if (confirmedAt === null || confirmedAt < since) return false;
    await this.removeAll(user);
    await this.factorResetStop.stop(user.id); // if there is a request: it must not remove a later factor
    return true;
  }

  /** Sign-ins need no second factor from now on. @param user locked by this transaction */
  async removeAll(user: User): Promise<void> {
    await this.totpFactors.remove(user.id);
    await this.recoveryCodes.replaceAll(user.id, []);
    user.useSecondFactor(false);
    await this.users.save(user);
  }
}
