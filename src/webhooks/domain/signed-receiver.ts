import { Column } from 'typeorm';
import { addSeconds, DAY } from '../../platform/clock';
import { Sealed } from '../../platform/database/sealed-column.decorator';
import type { SealedPlace } from '../../platform/vault';

/** A receiver is disabled after this time and this many failures without a success. */
const FAILING_SECONDS = 5 * DAY;
const FEWEST_FAILURES = 10;
/** Milliseconds of a request beyond which a receiver is slow. */
const SLOW_MS = 5000;

/** Why it was disabled: by a member, after a 410, after failures, or by an operator. */
export const DISABLED_REASONS = ['user', 'gone', 'failing', 'operator'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A program of a tenant that receives signed requests. Entities of receivers extend it. */
export abstract class SignedReceiver {
  abstract readonly tenantId: string;
  abstract readonly id: string;
  /**
   * The member who chose last where it sends what, and so whose permissions it needs; null: nobody
   * is recorded, or the account was deleted.
   */
  abstract grantedBy: string | null;
  @Column('text') url!: string;
  @Column('text') description!: string;
  /** The keys in force, the new ones first, sealed by the vault (EndpointKeys). */
  @Sealed() @Column('text') keysEnc!: string;
  /** The newest public key, with which receivers can verify. */
  @Column('text') publicKey!: string;
  /** Until when messages are also signed with the previous keys; null: there are none. */
  @Column('timestamptz', { nullable: true }) oldKeysUntil!: Date | null;
  @Column('timestamptz', { nullable: true }) disabledAt!: Date | null;
  @Column('text', { nullable: true }) disabledWhy!: DisabledReason | null;
  /** Time of the first failure since the last success. */
  @Column('timestamptz', { nullable: true }) failingSince!: Date | null;
  /** Failures since the last success. */
  @Column('integer') failures!: number;
  /** Whether the last request took long. Slow receivers share some of the slots. */
  @Column('boolean') isSlow!: boolean;

  /** Where the keys are sealed. */
  abstract get keysPlace(): SealedPlace;

  /** Sets the keys. @param oldUntil until when the previous ones, among them, are in force */
  setKeys(keysEnc: string, publicKey: string, oldUntil: Date | null): void {
    this.keysEnc = keysEnc;
    this.publicKey = publicKey;
    this.oldKeysUntil = oldUntil;
  }

  /** The only part of its address that is not secret. */
  get host(): string {
    return new URL(this.url).host;
  }

  /** A member who may read what it sends decides about it. */
  grant(userId: string | null): void {
    this.grantedBy = userId;
  }

  get isDisabled(): boolean {
    return this.disabledAt !== null;
  }

  /** Whether messages are also signed with the previous keys. */
  hasOldKeys(now: Date): boolean {
    return this.oldKeysUntil !== null && this.oldKeysUntil > now;
  }

  /** Whether a request that took so long makes it slow, or no longer slow. */
  isChangedBy(milliseconds: number): boolean {
    return this.isSlow !== milliseconds > SLOW_MS;
  }

  /** A request has ended. */
  measure(milliseconds: number): void {
    this.isSlow = milliseconds > SLOW_MS;
  }

  /** A request succeeded. */
  succeed(): void {
    this.failingSince = null;
    this.failures = 0;
  }

  /**
   * A request failed.
   * @param isGone whether the receiver answered that it no longer exists (410)
   * @returns whether this failure disabled it
   */
  fail(now: Date, isGone: boolean): boolean {
    this.failingSince ??= now;
    this.failures += 1;
    if (this.isDisabled) return false;
    const isFailing = this.failures >= FEWEST_FAILURES && addSeconds(this.failingSince, FAILING_SECONDS) <= now;
    if (isGone || isFailing) this.disable(isGone ? 'gone' : 'failing', now);
    return this.isDisabled;
  }

  /** Enables it, and resets its failures. */
  enable(): void {
    Object.assign(this, { disabledAt: null, disabledWhy: null });
    this.succeed();
  }

  /** An operator disables it, also if it is disabled already: members cannot enable it then. */
  stopByOperator(now: Date): void {
    this.disable('operator', now);
  }

  get isStoppedByOperator(): boolean {
    return this.disabledWhy === 'operator';
  }

  protected disable(why: DisabledReason, now: Date): void {
    Object.assign(this, { disabledAt: now, disabledWhy: why });
  }
}
