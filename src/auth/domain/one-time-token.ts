import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DAY, HOUR, MINUTE } from '../../platform/clock';
import type { Failure } from '../../platform/result';
import { Registration, User } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';

/** What a mailed one-time token is good for. */
export type Purpose = 'verification' | 'magic-link' | 'password-reset' | 'disowning' | 'securing';

/**
 * How long each lives, in seconds, how many of a person live side by side (one more takes the
 * oldest away), whether it opens the account, and how its refusals are called. Links that only say
 * "this was not me" stay when those that open the account are withdrawn.
 */
export const PURPOSES: Record<
  Purpose,
  { seconds: number; atATime: number; opens: boolean; invalid: Failure; expired: Failure }
> = {
  verification: {
    seconds: DAY,
    atATime: 3,
    opens: true,
    invalid: AuthFailures.verificationInvalid,
    expired: AuthFailures.verificationExpired,
  },
  'magic-link': {
    seconds: 10 * MINUTE,
    atATime: 3,
    opens: true,
    invalid: AuthFailures.magicLinkInvalid,
    expired: AuthFailures.magicLinkExpired,
  },
  'password-reset': {
    seconds: HOUR,
    atATime: 3,
    opens: true,
    invalid: AuthFailures.resetInvalid,
    expired: AuthFailures.resetExpired,
  },
  securing: {
    seconds: 7 * DAY,
    atATime: 30,
    opens: false,
    invalid: AuthFailures.resetInvalid,
    expired: AuthFailures.resetExpired,
  },
  disowning: {
    seconds: 7 * DAY,
    atATime: 30,
    opens: false,
    invalid: AuthFailures.verificationInvalid,
    expired: AuthFailures.verificationExpired,
  },
};

/** Those that open an account. */
export const OPENING_PURPOSES = Object.entries(PURPOSES).flatMap(([purpose, { opens }]) => (opens ? [purpose] : []));

/**
 * A mailed token. Its use deletes it and the others of its person and purpose; expired ones stay
 * for 30 days, so that their refusal says so.
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
  /** The registration that it verifies or disowns, where there is one. */
  @ForeignKey(() => Registration, { name: 'one_time_tokens_registration_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly registrationId!: string | null;
}
