import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A state of a sign-in with a provider that was used, kept until it expires, so that a copy of its
 * cookie cannot be used again. Only its SHA-256 is stored.
 */
@Entity('used_sign_in_states')
@Index('used_sign_in_states_expires_at_idx', ['expiresAt'])
export class UsedSignInState {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'used_sign_in_states_pkey' }) readonly stateHash!: Buffer;
  @Column('timestamptz') readonly expiresAt!: Date;

  static of(stateHash: Buffer, expiresAt: Date): UsedSignInState {
    return Object.assign(new UsedSignInState(), { stateHash, expiresAt });
  }
}
