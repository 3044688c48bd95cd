import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { User } from '../../users/users.api';
import { TenantFailures } from '../tenants.failures';
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
  @Column({ type: 'uuid', update: false }) readonly id!: string;
  @Column('uuid') roleId!: string;
  /** Equal to the role's flag, which the foreign key guarantees. */
  @Column('boolean') isOwner!: boolean;
  @Column({ type: 'timestamptz', update: false }) readonly joinedAt!: Date;

  /** Creates the membership of a user who joins with a role. */
  static create(
    userId: string,
    { tenantId, id, isOwner }: Pick<Role, 'tenantId' | 'id' | 'isOwner'>,
    now: Date,
  ): Membership {
    return Object.assign(new Membership(), { tenantId, userId, id: newId(), roleId: id, isOwner, joinedAt: now });
  }

  /** OWNER_ROLE_FIXED from or to the Owner role, which only a transfer changes. */
  changeRole(role: Role): Result<void, 'OWNER_ROLE_FIXED'> {
    if (this.isOwner || role.isOwner) return err(TenantFailures.ownerRoleFixed);
    this.assign(role);
    return ok();
  }

  /**
   * Makes another member of the tenant the Owner, and this one an Admin. FORBIDDEN unless this one
   * is the Owner; NOT_FOUND without a successor.
   * @returns the new Owner
   */
  transferOwnership(
    successor: Membership | undefined,
    { owner, admin }: { owner: Role; admin: Role },
  ): Result<Membership, 'FORBIDDEN' | 'NOT_FOUND'> {
    if (!this.isOwner) return err(PlatformFailures.forbidden);
    if (!successor) return err(PlatformFailures.notFound);
    this.assign(admin);
    successor.assign(owner);
    return ok(successor);
  }

  /** OWNER_CANNOT_LEAVE: a tenant is never without its Owner. */
  checkRemoval(): Result<void, 'OWNER_CANNOT_LEAVE'> {
    return this.isOwner ? err(TenantFailures.ownerCannotLeave) : ok();
  }

  private assign({ id, isOwner }: Role): void {
    this.roleId = id;
    this.isOwner = isOwner;
  }
}
