import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Revoked access tokens. Instances that missed a notification read this table (see RevokedTokens).
 */
@Entity('access_revocations')
@Index('access_revocations_revoked_at_idx', ['revokedAt'])
export class AccessRevocation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'access_revocations_pkey' }) readonly id!: string;
  @Column('timestamptz') readonly revokedAt!: Date;
  @Column('text', { array: true }) readonly keys!: string[];
}
