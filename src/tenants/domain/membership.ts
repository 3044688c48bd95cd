import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';
import { User } from '../../users/users.api';
import { Role } from './role';
import { Tenant } from './tenant';

/**
 * The membership of a user in a tenant, with a role. A tenant has exactly one Owner: an index
 * allows at most one, a trigger at least one.
 */
@Entity('memberships')
@ForeignKey(() => Role, ['tenantId', 'roleId', 'isOwner'], ['tenantId', 'id', 'isOwner'], {
  name: 'memberships_role_fkey',
})
@Index('memberships_one_owner_idx', ['tenantId'], { unique: true, where: 'is_owner' })
@Index('memberships_tenant_id_id_idx', ['tenantId', 'id'])
@Index('memberships_user_id_joined_at_idx', ['userId', 'joinedAt', 'tenantId'])
@Index('memberships_role_idx', ['tenantId', 'roleId', 'isOwner'])
export class Membership {
  @ForeignKey(() => Tenant, { name: 'memberships_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'memberships_pkey' })
  readonly tenantId!: string;
  @ForeignKey(() => User, { name: 'memberships_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'memberships_pkey' })
  readonly userId!: string;
  /** Orders the members of a tenant by the time they joined. */
  @Column('uuid') readonly id!: string;
  @Column('uuid') readonly roleId!: string;
  /** Equal to the role's flag, which the foreign key guarantees. */
  @Column('boolean') readonly isOwner!: boolean;
  @Column('timestamptz') readonly joinedAt!: Date;

  /** Creates the membership of a user who joins with a role. */
  static create(
    userId: string,
    { tenantId, id, isOwner }: Pick<Role, 'tenantId' | 'id' | 'isOwner'>,
    now: Date,
  ): Membership {
    return Object.assign(new Membership(), { tenantId, userId, id: newId(), roleId: id, isOwner, joinedAt: now });
  }
}
