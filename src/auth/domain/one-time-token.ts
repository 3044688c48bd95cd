import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { addSeconds, DAY, HOUR, MINUTE } from '../../platform/clock';
import { err, ok, type Failure, type Result } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { Registration, REGISTRATION_LINK_SECONDS, User } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';

/** The purpose of an emailed one-time token. Stored in the database. */
export type Purpose = 'verification' | 'magic-link' | 'password-reset' | 'disowning' | 'securing' | 'factor-keeping';

interface PurposeRules {
  /** Lifetime. */
  readonly seconds: number;
  /** Whether the token gives access to the account. Links "This was not me" do not. */
  readonly givesAccess: boolean;
  readonly invalid: Failure;
  readonly expired: Failure;
}

export const PURPOSES = {
  verification: {
    seconds: REGISTRATION_LINK_SECONDS,
    givesAccess: true,
    invalid: AuthFailures.verificationInvalid,
    expired: AuthFailures.verificationExpired,
  },
  'magic-link': {
    seconds: 10 * MINUTE,
    givesAccess: true,
    invalid: AuthFailures.magicLinkInvalid,
    expired: AuthFailures.magicLinkExpired,
  },
  'password-reset': {
    seconds: HOUR,
    givesAccess: true,
    invalid: AuthFailures.resetInvalid,
    expired: AuthFailures.resetExpired,
  },
  securing: {
    seconds: 7 * DAY,
    givesAccess: false,
    invalid: AuthFailures.resetInvalid,
    expired: AuthFailures.resetExpired,
  },
  disowning: {
    seconds: 7 * DAY,
    givesAccess: false,
    invalid: AuthFailures.verificationInvalid,
    expired: AuthFailures.verificationExpired,
  },
  'factor-keeping': {
    seconds: 8 * DAY, // longer than a request to reset a second factor is open
    givesAccess: false,
    invalid: AuthFailures.resetInvalid,
    expired: AuthFailures.resetExpired,
  },
} satisfies Record<Purpose, PurposeRules>;

/** The failures of a token with this purpose. */
export type TokenFailureCode<P extends Purpose> = (typeof PURPOSES)[P]['invalid' | 'expired']['code'];

/** Tokens of these purposes are revoked when the account changes. */
export const ACCESS_PURPOSES = Object.entries(PURPOSES).flatMap(([purpose, { givesAccess }]) =>
  givesAccess ? [purpose] : [],
);

/** How many codes can be tried in place of a link. */
export const MAX_CODE_ATTEMPTS = 5;

/** What a token is for, besides its purpose. */
export interface TokenDetails {
  /** The registration that it verifies or cancels. */
  readonly registrationId?: string | null;
  /** The hash of the id of the browser that asked for it. */
  readonly browserHash?: Buffer | null;
  /** The address that it is sent to. */
  readonly mailedTo?: string | null;
}

/**
 * An emailed token. Consuming it deletes it and the others of the same user and purpose. Expired
 * ones are kept for 30 days, so that their use leads to EXPIRED.
 */
@Entity('one_time_tokens')
@Index('one_time_tokens_user_id_purpose_idx', ['userId', 'purpose'])
@Index('one_time_tokens_expires_at_idx', ['expiresAt'])
@Index('one_time_tokens_registration_id_idx', ['registrationId'])
export class OneTimeToken {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'one_time_tokens_pkey' }) readonly tokenHash!: Buffer;
  @ForeignKey(() => User, { name: 'one_time_tokens_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  @Column('text') readonly purpose!: Purpose;
  @Column('timestamptz') readonly expiresAt!: Date;
  /** The registration that the token verifies or cancels. */
  @ForeignKey(() => Registration, { name: 'one_time_tokens_registration_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly registrationId!: string | null;
  /** The hash of the id of the browser in which a code replaces the link; null: in none. */
  @Column('bytea', { nullable: true }) readonly browserHash!: Buffer | null;
  /**
   * When the link was used in another browser; its code still works in the browser that asked. Null
   * while the link works.
   */
  @Column('timestamptz', { nullable: true }) readonly linkUsedAt!: Date | null;
  /** How many codes were tried in that browser. */
  @Column('integer', { default: 0 }) readonly codeAttempts!: number;
  /**
   * The address that it was sent to: it is worth nothing once the account has another one. Null for
   * a token that was issued before this was stored.
   */
  @Column('text', { nullable: true }) readonly mailedTo!: string | null;

  /** A token of a user; its lifetime follows from its purpose, and only its hash is stored. */
  static issue(
    token: string,
    userId: string,
    purpose: Purpose,
    { registrationId = null, browserHash = null, mailedTo = null }: TokenDetails,
    now: Date,
  ): OneTimeToken {
    const expiresAt = addSeconds(now, PURPOSES[purpose].seconds);
    return Object.assign(new OneTimeToken(), {
      tokenHash: digestOf(token),
      userId,
      purpose,
      expiresAt,
      registrationId,
      browserHash,
      linkUsedAt: null,
      codeAttempts: 0,
      mailedTo,
    });
  }

  /**
   * What is left when the link, or another one of the user, was used: its code.
   * @param usedIn the hash of the browser that used it; there is no code left in it
   */
  codeAfterUse(usedIn: Buffer | undefined, now: Date): OneTimeToken | undefined {
    const { browserHash } = this;
    if (browserHash === null || usedIn?.equals(browserHash)) return undefined;
    return Object.assign(new OneTimeToken(), this, { linkUsedAt: now });
  }

  /** The EXPIRED failure of its purpose if it has expired. */
  checkExpiry(now: Date): Result<void, TokenFailureCode<Purpose>> {
    return this.expiresAt > now ? ok() : err(PURPOSES[this.purpose].expired);
  }
}
