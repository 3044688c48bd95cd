import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { DAY } from '../../platform/clock';
import { User } from '../../users/users.api';
import { Role } from './role';
import { Tenant } from './tenant';

/** Seconds that an invitation can be accepted (contract section 4). */
export const INVITATION_SECONDS = 7 * DAY;

/**
 * That a person has been asked to join. It exists while it waits: accepting, revoking and deleting
 * its role remove it. One per address and tenant. The token comes into being with the mail that
 * carries it.
 */
@Entity('invitations')
@ForeignKey(() => Role, ['tenantId', 'roleId'], ['tenantId', 'id'], {
  name: 'invitations_role_fkey',
  onDelete: 'CASCADE',
})
@Unique('invitations_token_hash_key', ['tokenHash'])
@Unique('invitations_tenant_id_email_key', ['tenantId', 'email'])
@Index('invitations_role_idx', ['tenantId', 'roleId'])
@Index('invitations_invited_by_idx', ['invitedBy'])
@Index('invitations_expires_at_idx', ['expiresAt'])
export class Invitation {
  @ForeignKey(() => Tenant, { name: 'invitations_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitations_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitations_pkey' }) readonly id!: string;
  @Column('text') readonly email!: string;
  @Column('uuid') readonly roleId!: string;
  @ForeignKey(() => User, { name: 'invitations_invited_by_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { nullable: true })
  readonly invitedBy!: string | null;
  /** Null until the mail goes out. */
  @Column('bytea', { nullable: true }) readonly tokenHash!: Buffer | null;
  @Column('timestamptz') readonly createdAt!: Date;
  @Column('timestamptz') readonly expiresAt!: Date;
}
