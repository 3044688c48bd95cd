import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { RecoveryCodeRepository } from '../data/recovery-code.repository';
import { TotpFactorRepository } from '../data/totp-factor.repository';
import type { FactorMethod, FactorProof } from '../domain/factor-proof';
import { RecoveryCodeUsed, SecondFactorBlocked, SecondFactorFailed } from '../factors.events';
import { FactorFailures } from '../factors.failures';
import { TotpSecrets } from './totp-secrets';

/** Verifies the second factor of a user whose first factor is proven. */
@Injectable()
export class SecondFactorVerifier {
  constructor(
    private readonly totpFactors: TotpFactorRepository,
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly secrets: TotpSecrets,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies a proof and does the work that needs it, in one transaction. The attempt is counted
   * before, in a transaction of its own, so that a refusal does not undo it.
   * @param prepare runs first in the transaction, and locks the account; its Err ends the attempt
   * @param work runs only if the proof is correct; its Err gives a used code back
   * @returns SECOND_FACTOR_INVALID; TOO_MANY_ATTEMPTS
   */
  async within<P, T, C extends string, D extends string>(
    userId: string,
    proof: FactorProof,
    prepare: () => Promise<Result<P, C>>,
    work: (prepared: P, method: FactorMethod) => Promise<Result<T, D>>,
  ): Promise<Result<T, C | D | 'SECOND_FACTOR_INVALID' | 'TOO_MANY_ATTEMPTS'>> {
    const admitted = await this.countAttempt(userId, proof);
    if (!admitted.ok) return admitted;
    const done = await this.unitOfWork.transaction<T, C | D | 'SECOND_FACTOR_INVALID'>(async () => {
      const prepared = await prepare();
      if (!prepared.ok) return prepared;
      const accepted = await this.accept(userId, proof);
      return accepted.ok ? work(prepared.value, accepted.value) : accepted;
    });
    if (!done.ok && done.failure.code === FactorFailures.secondFactorInvalid.code)
      await this.events.publish(new SecondFactorFailed(userId));
    return done;
  }

  /** Recovery codes have 120 bits and cannot be guessed. */
  private countAttempt(userId: string, { code }: FactorProof): Promise<Result<void, 'TOO_MANY_ATTEMPTS'>> {
    if (code === undefined) return Promise.resolve(ok());
    return this.unitOfWork.transaction(async () => {
      const factor = await this.totpFactors.lock(userId);
      if (!factor) return ok();
      const admitted = factor.beginAttempt(this.clock.now());
      if (!admitted.ok) return admitted;
      await this.totpFactors.save(factor);
      if (factor.isExhausted) await this.events.publish(new SecondFactorBlocked(userId));
      return ok();
    });
  }

  private accept(userId: string, proof: FactorProof): Promise<Result<FactorMethod, 'SECOND_FACTOR_INVALID'>> {
    return proof.code === undefined
      ? this.useRecoveryCode(userId, proof.recoveryCode)
      : this.acceptCode(userId, proof.code);
  }

  private async acceptCode(userId: string, code: string): Promise<Result<FactorMethod, 'SECOND_FACTOR_INVALID'>> {
    const factor = await this.totpFactors.lock(userId);
    if (!factor?.isConfirmed) return err(FactorFailures.secondFactorInvalid);
    const accepted = factor.accept(code, this.secrets.open(userId, factor.secretEnc), this.clock.now());
    if (!accepted.ok) return accepted;
    await this.totpFactors.save(factor);
    return ok('totp');
  }

  private async useRecoveryCode(userId: string, code: string): Promise<Result<FactorMethod, 'SECOND_FACTOR_INVALID'>> {
    const factor = await this.totpFactors.lock(userId);
    if (!(await this.recoveryCodes.use(userId, code))) return err(FactorFailures.secondFactorInvalid);
    factor?.forgiveAttempts();
    if (factor) await this.totpFactors.save(factor);
    await this.events.publish(new RecoveryCodeUsed({ userId }));
    return ok('recovery-code');
  }
}
