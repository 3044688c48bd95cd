import { Injectable } from '@nestjs/common';
import { unlessViolated } from '../../platform/database/constraint-violations';
import { EntityRepository } from '../../platform/database/entity-repository';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Permission } from '../../platform/permissions';
import { permissionsOf, type StoredRole } from '../domain/built-in-roles';
import { MAX_TENANTS_PER_USER } from '../domain/tenant-limits';
import { Membership } from '../domain/membership';
import type { Role } from '../domain/role';
import { TenantFailures } from '../tenants.failures';
import { memberOf, selectMembers, type Member, type MemberRow } from './member-select';

/** The current rights of a member, whose membership row is locked. */
export interface LockedMembership {
  readonly isOwner: boolean;
  readonly permissions: readonly Permission[];
}

const READ_MEMBERSHIPS = `
  SELECT m.user_id AS "userId", m.is_owner AS "isOwner", r.name, r.is_built_in AS "isBuiltIn", r.permissions
    FROM memberships m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
   WHERE m.tenant_id = $1 AND m.user_id = ANY($2::uuid[])`;

const roleNamed = (name: 'Owner' | 'Admin') =>
  `(SELECT id FROM roles WHERE tenant_id = $1 AND is_built_in AND name = '${name}')`;

/**
 * Stores memberships. Each change is conditional or follows a lock, so that of two concurrent
 * changes the second sees the result of the first.
 */
@Injectable()
export class MembershipRepository extends EntityRepository<Membership> {
  constructor(unitOfWork: UnitOfWork) {
    super(Membership, unitOfWork);
  }

  /**
   * LIMIT_REACHED if the user is in as many tenants as allowed. Takes a lock per user until the
   * transaction ends, so that concurrent joins cannot exceed the limit.
   */
  async lockTenantQuota(userId: string): Promise<Result<void, 'LIMIT_REACHED'>> {
    await this.unitOfWork.lockByName(`tenants-of:${userId}`);
    const [{ tenants }] = await this.unitOfWork.query<{ tenants: number }>(
      'SELECT count(*)::int AS tenants FROM memberships_of($1)',
      [userId],
    );
    return tenants < MAX_TENANTS_PER_USER ? ok() : err(TenantFailures.tooManyTenants);
  }

  /** Adds a member. ALREADY_MEMBER. */
  add(membership: Membership): Promise<Result<void, 'ALREADY_MEMBER'>> {
    return unlessViolated({ memberships_pkey: TenantFailures.alreadyMember }, () => this.insert(membership));
  }

  /**
   * Locks a membership until the transaction ends and returns whether it is the Owner's; undefined
   * if the user is not a member.
   */
  async lockOwnership(tenantId: string, userId: string): Promise<boolean | undefined> {
    return (await this.lockOne({ tenantId, userId }))?.isOwner;
  }

  /**
   * Locks a membership against changes until the transaction ends. Undefined if the user is not a
   * member.
   */
  async lockMembership(tenantId: string, userId: string): Promise<LockedMembership | undefined> {
    return (await this.readMemberships(tenantId, [userId], 'SHARE')).get(userId);
  }

  /**
   * Locks several memberships in order to change them: other transactions wait until this one
   * ends.
   */
  lockMemberships(tenantId: string, ...userIds: string[]): Promise<Map<string, LockedMembership>> {
    return this.readMemberships(tenantId, userIds, 'UPDATE');
  }

  /**
   * Reads the rights from the database and not from a token. Rows are locked in the order of user
   * ids, so that two members who change each other do not deadlock; they are read by a second
   * statement, because the first may have waited for a change of role.
   */
  private async readMemberships(
    tenantId: string,
    userIds: string[],
    lock: 'SHARE' | 'UPDATE',
  ): Promise<Map<string, LockedMembership>> {
    await this.unitOfWork.query(
      `SELECT FROM memberships WHERE tenant_id = $1 AND user_id = ANY($2::uuid[]) ORDER BY user_id FOR ${lock}`,
      [tenantId, userIds],
    );
    const rows = await this.unitOfWork.query<StoredRole & { userId: string; isOwner: boolean }>(READ_MEMBERSHIPS, [
      tenantId,
      userIds,
    ]);
    return new Map(rows.map(({ userId, isOwner, ...role }) => [userId, { isOwner, permissions: permissionsOf(role) }]));
  }

  /** The user who owns a tenant. */
  async findOwnerId(tenantId: string): Promise<string> {
    return (await this.rows.findOneByOrFail({ tenantId, isOwner: true })).userId;
  }

  /** A member as other members of the tenant see them. */
  async findMember(tenantId: string, userId: string): Promise<Member | undefined> {
    const sql = selectMembers('(SELECT * FROM memberships WHERE tenant_id = $1 AND user_id = $2)');
    const [row] = await this.unitOfWork.query<MemberRow>(sql, [tenantId, userId]);
    return row && memberOf(row);
  }

  /** Changes the role of a member whose membership this transaction has locked. */
  async changeRole(userId: string, { tenantId, id }: Role): Promise<void> {
    await this.rows.update({ tenantId, userId }, { roleId: id });
  }

  /** Removes a member whose membership this transaction has locked. */
  async remove(tenantId: string, userId: string): Promise<void> {
    await this.rows.delete({ tenantId, userId });
  }

  /**
   * Makes the Owner an Admin; `promote` must follow.
   * @returns false if the user is not, or no longer, the Owner
   */
  async demote(tenantId: string, userId: string): Promise<boolean> {
    const sql = `UPDATE memberships SET role_id = ${roleNamed('Admin')}, is_owner = false
                  WHERE tenant_id = $1 AND user_id = $2 AND is_owner RETURNING id`;
    return (await this.unitOfWork.query(sql, [tenantId, userId])).length === 1;
  }

  /**
   * Makes a member whose membership this transaction has locked the Owner.
   * @returns false if the account is disabled
   */
  async promote(tenantId: string, userId: string): Promise<boolean> {
    const sql = `UPDATE memberships SET role_id = ${roleNamed('Owner')}, is_owner = true
                  WHERE tenant_id = $1 AND user_id = (SELECT id FROM users WHERE id = $2
                    AND disabled_at IS NULL FOR SHARE) RETURNING id`;
    return (await this.unitOfWork.query(sql, [tenantId, userId])).length === 1;
  }
}
