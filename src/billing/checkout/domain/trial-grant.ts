import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../../users/users.api';

/**
 * The trial of a tenant, and who was granted it: its Owner at that time. An offer counts while its
 * checkout may be open; a trial that was started counts also after the tenant was deleted.
 */
@Entity('trial_grants')
@Index('trial_grants_user_id_idx', ['userId'])
export class TrialGrant {
  /** The tenant. Without a foreign key, because the row stays when the tenant is deleted. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'trial_grants_pkey' }) readonly grantedTo!: string;
  @ForeignKey(() => User, { name: 'trial_grants_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  @Column('timestamptz') readonly offeredAt!: Date;

  static of(tenantId: string, userId: string, now: Date): TrialGrant {
    return Object.assign(new TrialGrant(), { grantedTo: tenantId, userId, offeredAt: now });
  }
}
