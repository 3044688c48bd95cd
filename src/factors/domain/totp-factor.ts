import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MINUTE, addSeconds } from '../../platform/clock';
import { Sealed } from '../../platform/database/sealed-column.decorator';
import { err, ok, type Result } from '../../platform/result';
import { User } from '../../users/users.api';
import { FactorFailures } from '../factors.failures';
import { matchingStep } from './totp';

/** Attempts at a code of one account within the window, over all its sign-ins of a lane. */
const MAX_ATTEMPTS = 10;
const ATTEMPTS_SECONDS = 15 * MINUTE;
/** Failures in a row after which codes are refused (NIST SP 800-63B-4, section 3.2.2). */
const MAX_ATTEMPTS_IN_ROW = 100;

/**
 * Where an attempt comes from: a device with which the account has signed in before, or any other.
 * Each has counters of its own, so that somebody who knows the password, and fails elsewhere, does
 * not lock the owner out.
 */
export type AttemptLane = 'known' | 'other';

/** The counters of a lane. */
const COUNTERS = {
  known: { attempts: 'knownAttempts', since: 'knownAttemptsSince', inRow: 'knownAttemptsInRow' },
  other: { attempts: 'attempts', since: 'attemptsSince', inRow: 'attemptsInRow' },
} as const;

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
  /** The same of known devices. */
  @Column('integer', { default: 0 }) knownAttempts!: number;
  @Column('timestamptz', { nullable: true }) knownAttemptsSince!: Date | null;
  @Column('integer', { default: 0 }) knownAttemptsInRow!: number;
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
      knownAttempts: 0,
      knownAttemptsSince: null,
      knownAttemptsInRow: 0,
      confirmedAt: null,
      createdAt: now,
    });
  }

  /** Replaces the secret of a factor that was not confirmed. */
  restart(secretEnc: string, now: Date): void {
    Object.assign(this, TotpFactor.start(this.userId, secretEnc, now));
  }

  /** Whether the last attempt of a lane was the last one that is admitted for now. */
  isExhausted(lane: AttemptLane): boolean {
    const { attempts, inRow } = COUNTERS[lane];
    return this[attempts] >= MAX_ATTEMPTS || this[inRow] >= MAX_ATTEMPTS_IN_ROW;
  }

  /** Admits codes again: the user has proven the account by a recovery code. */
  forgiveAttempts(): void {
    this.forget('known');
    this.forget('other');
  }

  private forget(lane: AttemptLane): void {
    const { attempts, inRow } = COUNTERS[lane];
    Object.assign(this, { [attempts]: 0, [inRow]: 0 });
  }

  get isConfirmed(): boolean {
    return this.confirmedAt !== null;
  }

  /** Counts an attempt. TOO_MANY_ATTEMPTS, with the seconds until the next one is admitted. */
  beginAttempt(lane: AttemptLane, now: Date): Result<void, 'TOO_MANY_ATTEMPTS'> {
    const { attempts, since, inRow } = COUNTERS[lane];
    const started = this[since];
    const until = started ? addSeconds(started, ATTEMPTS_SECONDS) : now;
    if (until <= now) Object.assign(this, { [attempts]: 0, [since]: now });
    if (this[inRow] >= MAX_ATTEMPTS_IN_ROW) return err({ ...FactorFailures.codesPaused, retryAfter: ATTEMPTS_SECONDS });
    if (this[attempts] >= MAX_ATTEMPTS) {
      const retryAfter = Math.ceil((until.getTime() - now.getTime()) / 1000);
      return err({ ...FactorFailures.tooManyAttempts, retryAfter });
    }
    this[attempts] += 1;
    this[inRow] += 1;
    return ok();
  }

  /**
   * Accepts a code once: of two uses of one code, the second is refused, and so are codes of
   * earlier steps (RFC 6238, section 5.2). The failures of its lane are forgotten.
   * @param secret the opened secret
   */
  accept(code: string, secret: Buffer, lane: AttemptLane, now: Date): Result<void, 'SECOND_FACTOR_INVALID'> {
    const step = matchingStep(secret, code, now);
    if (step === undefined || step <= this.lastStep) return err(FactorFailures.secondFactorInvalid);
    this.lastStep = step;
    this.forget(lane);
    this.confirmedAt ??= now;
    return ok();
  }
}
