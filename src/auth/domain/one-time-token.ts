import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DAY, HOUR, MINUTE } from '../../platform/clock';
import type { Failure } from '../../platform/result';
import { User } from '../../users/users.contract';
import { AuthFailures } from '../auth.failures';

/** What a mailed one-time token is good for. */
export type Purpose = 'verification' | 'magic-link' | 'password-reset';

/** How long each lives, in seconds, and how its refusals are called. */
export const PURPOSES: Record<Purpose, { seconds: number; invalid: Failure; expired: Failure }> = {
  verification: { seconds: DAY, invalid: AuthFailures.verificationInvalid, expired: AuthFailures.verificationExpired },
  'magic-link': { seconds: 10 * MINUTE, invalid: AuthFailures.magicLinkInvalid, expired: AuthFailures.magicLinkExpired },
  'password-reset': { seconds: HOUR, invalid: AuthFailures.resetInvalid, expired: AuthFailures.resetExpired },
};

/** How many links of a person and purpose live side by side: one more takes the oldest away (contract section 11). */
export const LINKS_AT_A_TIME = 3;

/** A mailed token. Its use deletes it and the others of its person and purpose; expired ones stay for 30 days, so that their refusal says so. */
@Entity('one_time_tokens')
@Index('one_time_tokens_user_id_purpose_idx', ['userId', 'purpose'])
@Index('one_time_tokens_expires_at_idx', ['expiresAt'])
export class OneTimeToken {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'one_time_tokens_pkey' }) readonly tokenHash!: Buffer;
  @ForeignKey(() => User, { name: 'one_time_tokens_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  @Column('text') readonly purpose!: Purpose;
  @Column('timestamptz') readonly expiresAt!: Date;
}
