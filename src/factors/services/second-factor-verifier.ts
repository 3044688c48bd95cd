import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { withoutClaim } from '../../platform/idempotency/without-claim';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { RecoveryCodeRepository } from '../data/recovery-code.repository';
import { TotpFactorRepository } from '../data/totp-factor.repository';
import type { FactorMethod, FactorProof } from '../domain/factor-proof';
import type { AttemptLane } from '../domain/totp-factor';
import { RecoveryCodeUsed, SecondFactorBlocked, SecondFactorFailed } from '../factors.events';
import { FactorFailures } from '../factors.failures';
import { PasskeyVerifier } from './passkey-verifier';
import { TotpSecrets } from './totp-secrets';

/** Why a proof is refused. */
export type FactorFailure =
  'CHALLENGE_EXPIRED' | 'PASSKEY_INVALID' | 'PASSKEY_UNKNOWN' | 'SECOND_FACTOR_INVALID' | 'TOO_MANY_ATTEMPTS';

/** Accepts a proof, in the transaction of what it allows. */
type Accept = () => Promise<Result<unknown, 'PASSKEY_UNKNOWN' | 'SECOND_FACTOR_INVALID'>>;

/** What is recorded as a failed attempt. */
const WRONG: readonly string[] = [FactorFailures.secondFactorInvalid.code, FactorFailures.passkeyInvalid.code];

/** Verifies the second factor of a user whose first factor is proven. */
@Injectable()
export class SecondFactorVerifier {
  constructor(
    private readonly totpFactors: TotpFactorRepository,
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly passkeys: PasskeyVerifier,
    private readonly secrets: TotpSecrets,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies a proof and does the work that needs it, in one transaction. The attempt is counted
   * before, in a transaction of its own, so that a refusal does not undo it.
   * @param lane where the attempt comes from
   * @param prepare runs first in the transaction, and locks the account; its Err ends the attempt
   * @param work runs only if the proof is correct; its Err gives a used code back
   * @returns why the proof is refused, or the Err of `prepare` or `work`
   */
  async within<P, T, C extends string, D extends string>(
    userId: string,
    proof: FactorProof,
    lane: AttemptLane,
    prepare: () => Promise<Result<P, C>>,
    work: (prepared: P, method: FactorMethod) => Promise<Result<T, D>>,
  ): Promise<Result<T, C | D | FactorFailure>> {
    const done = await this.attempt(userId, proof, lane, prepare, work);
    if (!done.ok && WRONG.includes(done.failure.code)) await this.events.publish(new SecondFactorFailed(userId));
    return done;
  }

  private async attempt<P, T, C extends string, D extends string>(
    userId: string,
    proof: FactorProof,
    lane: AttemptLane,
    prepare: () => Promise<Result<P, C>>,
    work: (prepared: P, method: FactorMethod) => Promise<Result<T, D>>,
  ): Promise<Result<T, C | D | FactorFailure>> {
    const admitted = await this.admit(userId, proof, lane);
    if (!admitted.ok) return admitted;
    return this.unitOfWork.transaction<T, C | D | FactorFailure>(async () => {
      const prepared = await prepare();
      if (!prepared.ok) return prepared;
      const accepted = await admitted.value();
      return accepted.ok ? work(prepared.value, proof.method) : accepted;
    });
  }

  /** Recovery codes have 120 bits and cannot be guessed, nor can signatures. */
  private async admit(userId: string, proof: FactorProof, lane: AttemptLane): Promise<Result<Accept, FactorFailure>> {
    if (proof.method === 'recovery-code') return ok(() => this.useRecoveryCode(userId, proof.recoveryCode));
    if (proof.method === 'totp') {
      const counted = await withoutClaim(() => this.countAttempt(userId, lane));
      return counted.ok ? ok(() => this.acceptCode(userId, proof.code, lane)) : counted;
    }
    const verified = await this.passkeys.verify(proof.passkey, userId);
    return verified.ok ? ok(() => this.passkeys.use(verified.value)) : verified;
  }

  private countAttempt(userId: string, lane: AttemptLane): Promise<Result<void, 'TOO_MANY_ATTEMPTS'>> {
    return this.unitOfWork.transaction(async () => {
      const factor = await this.totpFactors.lock(userId);
      if (!factor) return ok();
      const admitted = factor.beginAttempt(lane, this.clock.now());
      if (!admitted.ok) return admitted;
      await this.totpFactors.save(factor);
      if (factor.isExhausted(lane)) await this.events.publish(new SecondFactorBlocked(userId));
      return ok();
    });
  }

  private async acceptCode(
    userId: string,
    code: string,
    lane: AttemptLane,
  ): Promise<Result<void, 'SECOND_FACTOR_INVALID'>> {
    const factor = await this.totpFactors.lock(userId);
    if (!factor?.isConfirmed) return err(FactorFailures.secondFactorInvalid);
    const accepted = factor.accept(code, this.secrets.open(userId, factor.secretEnc), lane, this.clock.now());
    if (accepted.ok) await this.totpFactors.save(factor);
    return accepted;
  }

  private async useRecoveryCode(userId: string, code: string): Promise<Result<void, 'SECOND_FACTOR_INVALID'>> {
    const factor = await this.totpFactors.lock(userId);
    if (!(await this.recoveryCodes.use(userId, code))) return err(FactorFailures.secondFactorInvalid);
    factor?.forgiveAttempts();
    if (factor) await this.totpFactors.save(factor);
    await this.events.publish(new RecoveryCodeUsed({ userId }));
    return ok();
  }
}
