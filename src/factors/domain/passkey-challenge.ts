import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MINUTE, addSeconds } from '../../platform/clock';
import { digestOf } from '../../platform/secret-token';
import { User } from '../../users/users.api';

/** Lifetime of a challenge in seconds. */
export const CHALLENGE_SECONDS = 5 * MINUTE;

/** What an authenticator signs a challenge for. */
export type ChallengePurpose = 'registration' | 'assertion';

/** A random text that an authenticator signs once. Only its hash is stored. */
@Entity('passkey_challenges')
@Index('passkey_challenges_user_id_idx', ['userId'])
@Index('passkey_challenges_expires_at_idx', ['expiresAt'])
export class PasskeyChallenge {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'passkey_challenges_pkey' }) readonly hash!: Buffer;
  @Column('text') readonly purpose!: ChallengePurpose;
  /** Who registers a passkey; null for an assertion, because it says who signs in. */
  @ForeignKey(() => User, { name: 'passkey_challenges_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly userId!: string | null;
  @Column('timestamptz') readonly expiresAt!: Date;

  /** @param userId who registers a passkey; null: for an assertion */
  static issue(challenge: string, userId: string | null, now: Date): PasskeyChallenge {
    return Object.assign(new PasskeyChallenge(), {
      hash: digestOf(challenge),
      purpose: userId === null ? 'assertion' : 'registration',
      userId,
      expiresAt: addSeconds(now, CHALLENGE_SECONDS),
    });
  }
}
