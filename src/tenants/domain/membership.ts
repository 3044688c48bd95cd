import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';
import { User } from '../../users/users.api';
import { Role } from './role';
import { Tenant } from './tenant';

/**
 * That a person is in a tenant, and as what. A tenant has one Owner: the index allows no second, a
 * trigger not none.
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
  /** Orders the members of a tenant by when they joined. */
  @Column('uuid') readonly id!: string;
  @Column('uuid') readonly roleId!: string;
  /** The same as its role's; the foreign key says so. */
  @Column('boolean') readonly isOwner!: boolean;
  @Column('timestamptz') readonly joinedAt!: Date;

  static join(
    userId: string,
    { tenantId, id, isOwner }: Pick<Role, 'tenantId' | 'id' | 'isOwner'>,
    now: Date,
  ): Membership {
    return Object.assign(new Membership(), { tenantId, userId, id: newId(), roleId: id, isOwner, joinedAt: now });
  }
}
