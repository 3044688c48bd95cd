import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual, MoreThan } from 'typeorm';
import { Clock } from '../../platform/clock';
import type { ErasedPerson } from '../../platform/erasure-steps';
import type { Permission } from '../../platform/permissions';
import { err, ok, type Result } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { User } from '../../users/users.api';
import { permissionsOf } from '../domain/built-in-roles';
import { Invitation } from '../domain/invitation';
import { Membership } from '../domain/membership';
import { holdsAll, Role } from '../domain/role';
import { Tenant } from '../domain/tenant';
import { TenantFailures } from '../tenants.failures';

/** The users to notify about an invitation. */
export interface InvitationRecipients {
  readonly tenantName: string;
  readonly ownerId: string;
  /** Null if the address has no account. */
  readonly invitedUserId: string | null;
  readonly isMember: boolean;
  /** Whether the address has an account that is not verified, or none. */
  readonly isNew: boolean;
}

/** Stores pending invitations. Tokens are stored as SHA-256 digests only. */
@Injectable()
export class InvitationRepository extends EntityRepository<Invitation> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super(Invitation, unitOfWork);
  }

  /**
   * The users to notify about an invitation, and whether the address belongs to a member now. A
   * separate statement after the insert, which may have waited for a transaction in which the same
   * user joined.
   */
  async findRecipients(tenantId: string, email: string): Promise<InvitationRecipients> {
    const recipients = await this.unitOfWork.manager
      .createQueryBuilder(Tenant, 't')
      .innerJoin(Membership, 'o', 'o.tenantId = t.id AND o.isOwner')
      .leftJoin(User, 'u', 'u.email = :email', { email })
      .leftJoin(Membership, 'm', 'm.tenantId = t.id AND m.userId = u.id')
      .select('t.name', 'tenantName')
      .addSelect('o.userId', 'ownerId')
      .addSelect('u.id', 'invitedUserId')
      .addSelect('m.id IS NOT NULL', 'isMember')
      .addSelect('u.isEmailVerified IS NOT TRUE', 'isNew')
      .where('t.id = :tenantId', { tenantId })
      .getRawOne<InvitationRecipients>();
    return recipients!;
  }

  /**
   * Locks the role of an invitation until the transaction ends. Undefined if the invitation does
   * not exist.
   */
  async lockRole(tenantId: string, id: string): Promise<Role | undefined> {
    const role = await this.unitOfWork.manager
      .createQueryBuilder(Role, 'r')
      .innerJoin(Invitation, 'i', 'i.tenantId = r.tenantId AND i.roleId = r.id')
      .where('i.tenantId = :tenantId AND i.id = :id', { tenantId, id })
      .setLock('pessimistic_read', undefined, ['r'])
      .getOne();
    return role ?? undefined;
  }

  /**
   * Adds an invitation, or replaces an expired one for the same address. ALREADY_INVITED, decided
   * by the unique index.
   */
  async add(invitation: Invitation): Promise<Result<void, 'ALREADY_INVITED'>> {
    const expired = { expiresAt: LessThanOrEqual(invitation.createdAt) };
    const isAdded = await this.insertOrReplace(invitation, ['tenantId', 'email'], expired);
    return isAdded ? ok() : err(TenantFailures.alreadyInvited);
  }

  /** Locks an invitation until the transaction ends. */
  lock(tenantId: string, id: string): Promise<Invitation | null> {
    return this.lockOne({ tenantId, id });
  }

  /** Saves an invitation that this transaction has locked. */
  save(invitation: Invitation): Promise<void> {
    return this.update(invitation);
  }

  /** Stores the token of a pending invitation. @returns false if it is no longer pending */
  async storeToken(tenantId: string, id: string, token: string): Promise<boolean> {
    const pending = { tenantId, id, expiresAt: MoreThan(this.clock.now()) };
    return (await this.updateBy(pending, { tokenHash: digestOf(token) })).length === 1;
  }

  /** Uses an invitation up. Of two concurrent attempts, one succeeds. */
  async consume({ tenantId, id, tokenHash }: Invitation): Promise<boolean> {
    const pending = { tenantId, id, tokenHash: tokenHash!, expiresAt: MoreThan(this.clock.now()) };
    return (await this.deleteBy(pending)).length === 1;
  }

  /** Revokes an invitation. @returns undefined if it does not exist */
  async revoke(tenantId: string, id: string): Promise<Invitation | undefined> {
    return (await this.deleteBy({ tenantId, id }))[0];
  }

  /** Revokes all invitations to a role. */
  revokeForRole({ tenantId, id }: Role): Promise<Invitation[]> {
    return this.deleteBy({ tenantId, roleId: id });
  }

  /** Revokes the invitations of a user to tenants that the user is a member of; across tenants. */
  async revokeForMember(userId: string): Promise<Invitation[]> {
    const found = await this.unitOfWork.manager
      .createQueryBuilder(Invitation, 'i')
      .innerJoin(Membership, 'm', 'm.tenantId = i.tenantId AND m.userId = :userId', { userId })
      .innerJoin(User, 'u', 'u.id = m.userId AND u.email = i.email')
      .getMany();
    return found.length > 0 ? this.deleteBy(found.map(({ tenantId, id }) => ({ tenantId, id }))) : [];
  }

  /** Deletes the invitations that expired until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('expiresAt', until, limit);
  }

  /**
   * Deletes the invitations of all tenants to the addresses of a deleted account; runs across
   * tenants.
   * @returns how many, at most `limit`
   */
  async erase({ emails, erasedAt }: ErasedPerson, limit: number): Promise<number> {
    const where = { email: In([...emails]), createdAt: LessThanOrEqual(erasedAt) };
    const found = await this.rows.find({ select: { tenantId: true, id: true }, where, take: limit });
    if (found.length > 0) await this.deleteBy(found.map(({ tenantId, id }) => ({ tenantId, id })));
    return found.length;
  }

  /**
   * Revokes the invitations of a sender to roles with permissions that the sender lacks; all of
   * them if the sender may no longer invite, or is no longer a member (`held` is undefined).
   */
  async revokeUngrantable(tenantId: string, senderId: string, held?: readonly Permission[]): Promise<Invitation[]> {
    const roles = await this.unitOfWork.manager
      .createQueryBuilder(Role, 'r')
      .innerJoin(Invitation, 'i', 'i.tenantId = r.tenantId AND i.roleId = r.id')
      .where('i.tenantId = :tenantId AND i.invitedBy = :senderId', { tenantId, senderId })
      .getMany();
    const mayInvite = held?.includes('tenant.members.invite');
    const ungrantable = roles.filter((role) => !mayInvite || !holdsAll(held!, permissionsOf(role)));
    if (ungrantable.length === 0) return [];
    return this.deleteBy({ tenantId, invitedBy: senderId, roleId: In(ungrantable.map(({ id }) => id)) });
  }
}
