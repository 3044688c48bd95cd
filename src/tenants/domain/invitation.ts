import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { addSeconds, DAY } from '../../platform/clock';
import { newId } from '../../platform/ids';
import { User } from '../../users/users.api';
import { Role } from './role';
import { Tenant } from './tenant';

/** Seconds for which an invitation can be accepted (docs/contract.md, Tenant operations). */
export const INVITATION_SECONDS = 7 * DAY;

/**
 * A pending invitation to a tenant. Accepting it, revoking it and deleting its role remove the
 * row. At most one per address and tenant. The token is created with the mail that carries it.
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
  /** Null until the mail is sent. */
  @Column('bytea', { nullable: true }) readonly tokenHash!: Buffer | null;
  @Column('timestamptz') readonly createdAt!: Date;
  @Column('timestamptz') readonly expiresAt!: Date;

  /** Creates an invitation that is not mailed yet. */
  static create(
    email: string,
    { tenantId, id: roleId }: Pick<Role, 'tenantId' | 'id'>,
    invitedBy: string,
    now: Date,
  ): Invitation {
    return Object.assign(new Invitation(), {
      tenantId,
      id: newId(),
      email,
      roleId,
      invitedBy,
      tokenHash: null,
      createdAt: now,
      expiresAt: addSeconds(now, INVITATION_SECONDS),
    });
  }
}
