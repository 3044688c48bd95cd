import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../../platform/database/database-errors';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Permission } from '../../platform/permissions';
import { permissionsOf, type StoredRole } from '../domain/built-in-roles';
import { MAX_TENANTS_PER_PERSON } from '../domain/tenant-limits';
import { Membership } from '../domain/membership';
import type { Role } from '../domain/role';
import { TenantFailures } from '../tenants.failures';
import { memberOf, selectMembers, type Member, type MemberRow } from './member-select';

/** What somebody is in a tenant, by the database. */
export interface Standing {
  readonly isOwner: boolean;
  readonly permissions: readonly Permission[];
}

const STANDINGS = `
  SELECT m.user_id AS "userId", m.is_owner AS "isOwner", r.name, r.is_built_in AS "isBuiltIn", r.permissions
    FROM memberships m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
   WHERE m.tenant_id = $1 AND m.user_id = ANY($2::uuid[])`;

const roleNamed = (name: 'Owner' | 'Admin') =>
  `(SELECT id FROM roles WHERE tenant_id = $1 AND is_built_in AND name = '${name}')`;

/**
 * Who is in a tenant. A change names its condition or follows a lock: of two at once, the second
 * finds what the first has left.
 */
@Injectable()
export class MembershipRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * LIMIT_REACHED for who is in as many tenants as anybody may be. Whoever else adds this person to
   * one waits until the transaction ends, so that many at once are not more than one by one.
   */
  async lockTenantQuota(userId: string): Promise<Result> {
    await this.unitOfWork.query(`SELECT pg_advisory_xact_lock(hashtextextended('tenants-of:' || $1, 0))`, [userId]);
    const [{ tenants }] = await this.unitOfWork.query<{ tenants: number }>(
      'SELECT count(*)::int AS tenants FROM memberships_of($1)',
      [userId],
    );
    return tenants < MAX_TENANTS_PER_PERSON ? ok() : err(TenantFailures.tooManyTenants);
  }

  /** ALREADY_MEMBER. */
  async add(membership: Membership): Promise<Result> {
    try {
      await this.unitOfWork.manager.insert(Membership, membership);
      return ok();
    } catch (error) {
      if (isUniqueViolation(error, 'memberships_pkey')) return err(TenantFailures.alreadyMember);
      throw error;
    }
  }

  /**
   * Whether this person is the Owner, which stays so until the transaction ends; undefined when
   * they are not in the tenant.
   */
  async lockAndAskIsOwner(tenantId: string, userId: string): Promise<boolean | undefined> {
    const sql = 'SELECT is_owner AS "isOwner" FROM memberships WHERE tenant_id = $1 AND user_id = $2 FOR UPDATE';
    const [found] = await this.unitOfWork.query<{ isOwner: boolean }>(sql, [tenantId, userId]);
    return found?.isOwner;
  }

  /**
   * What this person is in the tenant now; it stays so until the transaction ends. Undefined when
   * they are not in it.
   */
  async lockStanding(tenantId: string, userId: string): Promise<Standing | undefined> {
    return (await this.standings(tenantId, [userId], 'SHARE')).get(userId);
  }

  /** The same of several people, for changing it: others wait until the transaction ends. */
  lockStandings(tenantId: string, ...userIds: string[]): Promise<Map<string, Standing>> {
    return this.standings(tenantId, userIds, 'UPDATE');
  }

  /**
   * By the database and not by a token. Locked in the order of their ids, so that two who change
   * each other do not wait in a circle; read by a statement of its own, because the first one may
   * have waited while somebody was given another role.
   */
  private async standings(
    tenantId: string,
    userIds: string[],
    lock: 'SHARE' | 'UPDATE',
  ): Promise<Map<string, Standing>> {
    await this.unitOfWork.query(
      `SELECT FROM memberships WHERE tenant_id = $1 AND user_id = ANY($2::uuid[]) ORDER BY user_id FOR ${lock}`,
      [tenantId, userIds],
    );
    const rows = await this.unitOfWork.query<StoredRole & { userId: string; isOwner: boolean }>(STANDINGS, [
      tenantId,
      userIds,
    ]);
    return new Map(rows.map(({ userId, isOwner, ...role }) => [userId, { isOwner, permissions: permissionsOf(role) }]));
  }

  /** The name and email of a user who has just joined, and the Owner of the tenant. */
  async findNewMember(tenantId: string, userId: string): Promise<{ name: string; email: string; ownerId: string }> {
    const sql = `SELECT u.name, u.email, m.user_id AS "ownerId" FROM users u, memberships m WHERE u.id = $2
      AND m.tenant_id = $1 AND m.is_owner`;
    const [member] = await this.unitOfWork.query<{ name: string; email: string; ownerId: string }>(sql, [
      tenantId,
      userId,
    ]);
    return member;
  }

  /** A member as other members of the tenant see them. */
  async findMember(tenantId: string, userId: string): Promise<Member | undefined> {
    const sql = selectMembers('(SELECT * FROM memberships WHERE tenant_id = $1 AND user_id = $2)');
    const [row] = await this.unitOfWork.query<MemberRow>(sql, [tenantId, userId]);
    return row && memberOf(row);
  }

  /** Gives a member whose standing this transaction has locked a role. */
  async changeRole(userId: string, { tenantId, id }: Role): Promise<void> {
    await this.unitOfWork.query('UPDATE memberships SET role_id = $3 WHERE tenant_id = $1 AND user_id = $2', [
      tenantId,
      userId,
      id,
    ]);
  }

  /** Takes a member whose standing this transaction has locked out of the tenant. */
  async remove(tenantId: string, userId: string): Promise<void> {
    await this.unitOfWork.query('DELETE FROM memberships WHERE tenant_id = $1 AND user_id = $2', [tenantId, userId]);
  }

  /**
   * Makes the Owner an Admin; to be followed by `promote`.
   * @returns false when this person is not the Owner (any more)
   */
  async demote(tenantId: string, userId: string): Promise<boolean> {
    const sql = `UPDATE memberships SET role_id = ${roleNamed('Admin')}, is_owner = false
                  WHERE tenant_id = $1 AND user_id = $2 AND is_owner RETURNING id`;
    return (await this.unitOfWork.query(sql, [tenantId, userId])).length === 1;
  }

  /**
   * Makes a member whose standing this transaction has locked the Owner.
   * @returns false when their account is disabled
   */
  async promote(tenantId: string, userId: string): Promise<boolean> {
    const sql = `UPDATE memberships SET role_id = ${roleNamed('Owner')}, is_owner = true
                  WHERE tenant_id = $1 AND user_id = (SELECT id FROM users WHERE id = $2
                    AND disabled_at IS NULL FOR SHARE) RETURNING id`;
    return (await this.unitOfWork.query(sql, [tenantId, userId])).length === 1;
  }
}
