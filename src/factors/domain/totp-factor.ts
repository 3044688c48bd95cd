import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MINUTE, addSeconds } from '../../platform/clock';
import { Sealed } from '../../platform/database/sealed-column.decorator';
import { err, ok, type Result } from '../../platform/result';
import { User } from '../../users/users.api';
import { FactorFailures } from '../factors.failures';
import { matchingStep } from './totp';

/** Attempts at a code of one account within the window, over all its sign-ins. */
const MAX_ATTEMPTS = 10;
const ATTEMPTS_SECONDS = 15 * MINUTE;
/** Failures in a row after which codes are refused (NIST SP 800-63B-4, section 3.2.2). */
const MAX_ATTEMPTS_IN_ROW = 100;

/**
 * An authenticator app (RFC 6238). It is a second factor after its first code was confirmed.
 * Attempts are counted before the code is compared, so that concurrent ones cannot exceed the
 * limit.
 */
@Entity('totp_factors')
export class TotpFactor {
  @ForeignKey(() => User, { name: 'totp_factors_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'totp_factors_pkey' })
  readonly userId!: string;
  /** The secret in hexadecimal digits, sealed by the vault. */
  @Sealed() @Column('text') secretEnc!: string;
  /** The step of the last accepted code: codes of this and earlier steps are refused. */
  @Column('integer') lastStep!: number;
  @Column('integer') attempts!: number;
  @Column('timestamptz') attemptsSince!: Date;
  @Column('integer') attemptsInRow!: number;
  /** Null until the user has entered a code. */
  @Column('timestamptz', { nullable: true }) confirmedAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;

  /** A factor whose first code is still to be confirmed. */
  static start(userId: string, secretEnc: string, now: Date): TotpFactor {
    return Object.assign(new TotpFactor(), {
      userId,
      secretEnc,
      lastStep: 0,
      attempts: 0,
      attemptsSince: now,
      attemptsInRow: 0,
      confirmedAt: null,
      createdAt: now,
    });
  }

  /** Replaces the secret of a factor that was not confirmed. */
  restart(secretEnc: string, now: Date): void {
    Object.assign(this, TotpFactor.start(this.userId, secretEnc, now));
  }

  /** Whether the last attempt was the last one that is admitted for now. */
  get isExhausted(): boolean {
    return this.attempts >= MAX_ATTEMPTS || this.attemptsInRow >= MAX_ATTEMPTS_IN_ROW;
  }

  /** Admits codes again: the user has proven the account by a recovery code. */
  forgiveAttempts(): void {
    this.attempts = 0;
    this.attemptsInRow = 0;
  }

  get isConfirmed(): boolean {
    return this.confirmedAt !== null;
  }

  /** Counts an attempt. TOO_MANY_ATTEMPTS, with the seconds until the next one is admitted. */
  beginAttempt(now: Date): Result<void, 'TOO_MANY_ATTEMPTS'> {
    const until = addSeconds(this.attemptsSince, ATTEMPTS_SECONDS);
    if (until <= now) Object.assign(this, { attempts: 0, attemptsSince: now });
    if (this.attemptsInRow >= MAX_ATTEMPTS_IN_ROW)
      return err({ ...FactorFailures.codesPaused, retryAfter: ATTEMPTS_SECONDS });
    if (this.attempts >= MAX_ATTEMPTS) {
      const retryAfter = Math.ceil((until.getTime() - now.getTime()) / 1000);
      return err({ ...FactorFailures.tooManyAttempts, retryAfter });
    }
    this.attempts += 1;
    this.attemptsInRow += 1;
    return ok();
  }

  /**
   * Accepts a code once: of two uses of one code, the second is refused, and so are codes of
   * earlier steps (RFC 6238, section 5.2).
   * @param secret the opened secret
   */
  accept(code: string, secret: Buffer, now: Date): Result<void, 'SECOND_FACTOR_INVALID'> {
    const step = matchingStep(secret, code, now);
    if (step === undefined || step <= this.lastStep) return err(FactorFailures.secondFactorInvalid);
    this.lastStep = step;
    this.attempts = 0;
    this.attemptsInRow = 0;
    this.confirmedAt ??= now;
    return ok();
  }
}
