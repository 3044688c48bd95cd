import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { addSeconds, DAY } from '../../platform/clock';
import { newId } from '../../platform/ids';
import type { Permission } from '../../platform/permissions';
import { err, ok, type Result } from '../../platform/result';
import { User } from '../../users/users.api';
import { TenantFailures } from '../tenants.failures';
import { Membership } from './membership';
import { Role } from './role';
import { Tenant } from './tenant';

/** Seconds for which an invitation can be accepted (docs/contract.md, Tenant operations). */
const INVITATION_SECONDS = 7 * DAY;

/**
 * A pending invitation to a tenant. Accepting it, revoking it and deleting its role remove the
 * row. At most one per address and tenant. The token is stored with the email that carries it.
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
@Index('invitations_email_idx', ['email'])
@Index('invitations_expires_at_idx', ['expiresAt'])
export class Invitation {
  @ForeignKey(() => Tenant, { name: 'invitations_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitations_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitations_pkey' }) readonly id!: string;
  @Column({ type: 'text', update: false }) readonly email!: string;
  @Column({ type: 'uuid', update: false }) readonly roleId!: string;
  @ForeignKey(() => User, { name: 'invitations_invited_by_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { nullable: true })
  invitedBy!: string | null;
  /** Null until the email is sent. */
  @Column('bytea', { nullable: true }) tokenHash!: Buffer | null;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;

  /** Creates an invitation that is not mailed yet. */
  static create(
    email: string,
    { tenantId, id: roleId }: Pick<Role, 'tenantId' | 'id'>,
    invitedBy: string,
    now: Date,
  ): Invitation {
    const invitation = Object.assign(new Invitation(), {
      tenantId,
      id: newId(),
      email,
      roleId,
      tokenHash: null,
      createdAt: now,
    });
    invitation.resend(invitedBy, now);
    return invitation;
  }

  /** Renews it in the name of a sender. A link that was delivered stays valid. */
  resend(invitedBy: string, now: Date): void {
    this.invitedBy = invitedBy;
    this.expiresAt = addSeconds(now, INVITATION_SECONDS);
  }

  isExpired(now: Date): boolean {
    return this.expiresAt <= now;
  }

  /**
   * INVITATION_INVALID if the sender could no longer send it; INVITATION_EXPIRED.
   * @param role the role that it offers; undefined if the invitation was used or revoked
   * @param held the permissions of the sender; undefined if the sender can no longer act in the
   * tenant
   */
  checkAcceptable(
    role: Role | undefined,
    held: readonly Permission[] | undefined,
    now: Date,
  ): Result<void, 'INVITATION_EXPIRED' | 'INVITATION_INVALID'> {
    if (!held || !role?.mayBeGrantedBy(held).ok) return err(TenantFailures.invitationInvalid);
    return this.isExpired(now) ? err(TenantFailures.invitationExpired) : ok();
  }

  /**
   * The membership of the user who accepts it, with the role as it is now. Fails as
   * `checkAcceptable`.
   */
  accept(
    userId: string,
    role: Role | undefined,
    held: readonly Permission[] | undefined,
    now: Date,
  ): Result<Membership, 'INVITATION_EXPIRED' | 'INVITATION_INVALID'> {
    const acceptable = this.checkAcceptable(role, held, now);
    return acceptable.ok ? ok(Membership.create(userId, role!, now)) : acceptable;
  }
}
