import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { unlessViolated } from '../../platform/database/constraint-violations';
import { EntityRepository, type LockMode } from '../../platform/database/entity-repository';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Permission } from '../../platform/permissions';
import { permissionsOf } from '../domain/built-in-roles';
import { MAX_TENANTS_PER_USER } from '../domain/tenant-limits';
import { Membership } from '../domain/membership';
import { Role } from '../domain/role';
import { TenantFailures } from '../tenants.failures';
import { TenantsOfUser } from './tenants-of-user';

/** A membership, locked until the transaction ends, with the permissions of its role. */
export interface LockedMembership {
  readonly membership: Membership;
  readonly permissions: readonly Permission[];
}

/**
 * The number of members of the tenants $1, for each reading of a subscription. The planner does not
 * see the length of an array of a sub-select: it would plan each execution for it, which takes 15
 * times as long as the execution.
 */
const COUNTS = (rows: Repository<Membership>) =>
  rows
    .createQueryBuilder('m')
    .select('m.tenantId', 'tenantId')
    .addSelect('count(*)::int', 'members')
    .where('m.tenantId = ANY(ARRAY(SELECT unnest($1::uuid[])))')
    .groupBy('m.tenantId');

/**
 * Stores memberships. Each change is conditional or follows a lock, so that of two concurrent
 * changes the second sees the result of the first.
 */
@Injectable()
export class MembershipRepository extends EntityRepository<Membership> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly tenantsOfUser: TenantsOfUser,
  ) {
    super(Membership, unitOfWork);
  }

  /**
   * LIMIT_REACHED if the user is in as many tenants as allowed. Takes a lock per user until the
   * transaction ends, so that concurrent joins cannot exceed the limit.
   */
  async lockTenantQuota(userId: string): Promise<Result<void, 'LIMIT_REACHED'>> {
    await this.lockTenantsOf(userId);
    const tenants = await this.tenantsOfUser.list(userId);
    return tenants.length < MAX_TENANTS_PER_USER ? ok() : err(TenantFailures.tooManyTenants);
  }

  /** Prevents that the user is added to a tenant until the transaction ends. */
  lockTenantsOf(userId: string): Promise<void> {
    return this.unitOfWork.lockByName(`tenants-of:${userId}`);
  }

  /**
   * Adds a member. ALREADY_MEMBER; INVITATION_INVALID if the account was deleted at the same time.
   */
  add(membership: Membership): Promise<Result<void, 'ALREADY_MEMBER' | 'INVITATION_INVALID'>> {
    const { alreadyMember, invitationInvalid } = TenantFailures;
    return unlessViolated({ memberships_pkey: alreadyMember, memberships_user_id_fkey: invitationInvalid }, () =>
      this.insert(membership),
    );
  }

  /** Locks a membership in order to change it. Null if the user is not a member. */
  lock(tenantId: string, userId: string): Promise<Membership | null> {
    return this.lockOne({ tenantId, userId });
  }

  /**
   * Locks a membership against changes until the transaction ends. Undefined if the user is not a
   * member.
   */
  async lockSharedWithPermissions(tenantId: string, userId: string): Promise<LockedMembership | undefined> {
    return (await this.readMemberships(tenantId, [userId], 'pessimistic_read')).get(userId);
  }

  /**
   * Locks several memberships in order to change them: other transactions wait until this one
   * ends.
   */
  lockAllWithPermissions(tenantId: string, ...userIds: string[]): Promise<Map<string, LockedMembership>> {
    return this.readMemberships(tenantId, userIds, 'pessimistic_write');
  }

  /**
   * Reads the rights from the database and not from a token. Rows are locked in the order of user
   * ids, so that two members who change each other do not deadlock; they are read by further
   * statements, because the first may have waited for a change of role. All are sent together.
   */
  private async readMemberships(
    tenantId: string,
    userIds: string[],
    mode: LockMode,
  ): Promise<Map<string, LockedMembership>> {
    const where = { tenantId, userId: In(userIds) };
    await this.lockLater(where, mode);
    const ofMembers = this.unitOfWork.manager
      .createQueryBuilder(Role, 'r')
      .innerJoin(Membership, 'm', 'm.tenantId = r.tenantId AND m.roleId = r.id')
      .where('m.tenantId = :tenantId AND m.userId IN (:...userIds)', { tenantId, userIds });
    const [memberships, roles] = await Promise.all([this.rows.findBy(where), ofMembers.getMany()]);
    const permissions = new Map(roles.map((role) => [role.id, permissionsOf(role)]));
    return new Map(
      memberships.map((membership) => [
        membership.userId,
        { membership, permissions: permissions.get(membership.roleId)! },
      ]),
    );
  }

  /** The memberships of a user, in the order of tenants; runs across tenants. */
  listOfUser(userId: string): Promise<Membership[]> {
    return this.rows.find({ where: { userId }, order: { tenantId: 'ASC' } });
  }

  /** The same, locked until the transaction ends. */
  async lockAllOfUser(userId: string): Promise<Membership[]> {
    await this.lockLater({ userId }, 'pessimistic_write');
    return this.listOfUser(userId);
  }

  /** The user who owns a tenant. */
  async findOwnerId(tenantId: string): Promise<string> {
    return (await this.rows.findOneByOrFail({ tenantId, isOwner: true })).userId;
  }

  /** Saves a membership that this transaction has locked. */
  save(membership: Membership): Promise<void> {
    return this.update(membership);
  }

  /** Removes a member whose membership this transaction has locked. */
  async remove(membership: Membership): Promise<void> {
    await this.delete(membership);
  }

  /** The members of several tenants, in a transaction that sees them. */
  async countIn(tenantIds: readonly string[]): Promise<Map<string, number>> {
    const counts = await this.rowsOfBuilt<{ tenantId: string; members: number }>(COUNTS, [tenantIds]);
    return new Map(counts.map(({ tenantId, members }) => [tenantId, members]));
  }
}
