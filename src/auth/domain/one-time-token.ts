import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
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

/** A mailed token, at most one per person and purpose: a newer one replaces the older. Deleted by its use. */
@Entity('one_time_tokens')
@Unique('one_time_tokens_token_hash_key', ['tokenHash'])
@Index('one_time_tokens_expires_at_idx', ['expiresAt'])
export class OneTimeToken {
  @ForeignKey(() => User, { name: 'one_time_tokens_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'one_time_tokens_pkey' })
  readonly userId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'one_time_tokens_pkey' }) readonly purpose!: Purpose;
  @Column('bytea') readonly tokenHash!: Buffer;
  @Column('timestamptz') readonly expiresAt!: Date;
}
