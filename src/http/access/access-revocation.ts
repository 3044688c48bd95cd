import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Access tokens that were ended before their time: what an instance that did not hear the
 * announcement reads (see RevokedAccess).
 */
@Entity('access_revocations')
@Index('access_revocations_revoked_at_idx', ['revokedAt'])
export class AccessRevocation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'access_revocations_pkey' }) readonly id!: string;
  @Column('timestamptz') readonly revokedAt!: Date;
  @Column('text', { array: true }) readonly keys!: string[];
}
