import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { newIdAt } from '../../../platform/ids';

/**
 * Revoked access tokens. Instances that missed a notification read this table (see RevokedTokens).
 */
@Entity('access_revocations')
@Index('access_revocations_revoked_at_idx', ['revokedAt'])
export class AccessRevocation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'access_revocations_pkey' }) readonly id!: string;
  @Column('timestamptz') readonly revokedAt!: Date;
  @Column('text', { array: true }) readonly keys!: readonly string[];

  static of(keys: readonly string[], now: Date): AccessRevocation {
    return Object.assign(new AccessRevocation(), { id: newIdAt(now), revokedAt: now, keys });
  }
}
