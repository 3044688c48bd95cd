import { Injectable } from '@nestjs/common';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/database-errors';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { MAX_ROLES_PER_TENANT } from '../domain/tenant-limits';
import { Role } from '../domain/role';
import { TenantFailures } from '../tenants.failures';

/** Stores the roles of a tenant. A unique index compares names case-insensitively. */
@Injectable()
export class RoleRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Adds a role. ROLE_NAME_TAKEN if the tenant has a role of the same name. */
  add(role: Role): Promise<Result<void, 'ROLE_NAME_TAKEN'>> {
    return unlessNameTaken(() => this.unitOfWork.manager.insert(Role, role));
  }

  /** Locks a role to change or delete it: no other transaction can use it until this one ends. */
  lock(tenantId: string, id: string): Promise<Role | null> {
    return this.unitOfWork.manager.findOne(Role, { where: { tenantId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Locks a role to assign it: it cannot change until the transaction ends. */
  lockShared(tenantId: string, id: string): Promise<Role | null> {
    return this.unitOfWork.manager.findOne(Role, { where: { tenantId, id }, lock: { mode: 'pessimistic_read' } });
  }

  /** Locks the role of an invitation to assign it; an undefined `id` means Member. */
  lockInvitable(tenantId: string, id: string | undefined): Promise<Role | null> {
    if (id) return this.lockShared(tenantId, id);
    return this.unitOfWork.manager.findOne(Role, {
      where: { tenantId, isBuiltIn: true, name: 'Member' },
      lock: { mode: 'pessimistic_read' },
    });
  }

  /** Saves the name and permissions of a role that this transaction has locked. ROLE_NAME_TAKEN. */
  save({ tenantId, id, name, permissions }: Role): Promise<Result<void, 'ROLE_NAME_TAKEN'>> {
    return unlessNameTaken(() => this.unitOfWork.manager.update(Role, { tenantId, id }, { name, permissions }));
  }

  /** Removes a role. CONFLICT while it has members, decided by the foreign key. */
  async remove({ tenantId, id }: Role): Promise<Result<void, 'CONFLICT'>> {
    try {
      await this.unitOfWork.query('DELETE FROM roles WHERE tenant_id = $1 AND id = $2', [tenantId, id]);
      return ok();
    } catch (error) {
      if (isForeignKeyViolation(error, 'memberships_role_fkey')) return err(TenantFailures.roleInUse);
      throw error;
    }
  }

  /**
   * LIMIT_REACHED if the tenant has more roles than allowed. Counted after the insert, in a
   * transaction that holds the tenant's serial lock.
   */
  async checkLimit(tenantId: string): Promise<Result<void, 'LIMIT_REACHED'>> {
    const [{ roles }] = await this.unitOfWork.query<{ roles: number }>(
      'SELECT count(*)::int AS roles FROM roles WHERE tenant_id = $1',
      [tenantId],
    );
    return roles <= MAX_ROLES_PER_TENANT ? ok() : err(TenantFailures.tooManyRoles);
  }

  async countMembers({ tenantId, id }: Role): Promise<number> {
    const sql = 'SELECT count(*)::int AS members FROM memberships WHERE tenant_id = $1 AND role_id = $2';
    const [{ members }] = await this.unitOfWork.query<{ members: number }>(sql, [tenantId, id]);
    return members;
  }
}

async function unlessNameTaken(store: () => Promise<unknown>): Promise<Result<void, 'ROLE_NAME_TAKEN'>> {
  try {
    await store();
    return ok();
  } catch (error) {
    if (isUniqueViolation(error, 'roles_tenant_id_name_key')) return err(TenantFailures.roleNameTaken);
    throw error;
  }
}
