import { Injectable } from '@nestjs/common';
import { unlessViolated } from '../../platform/database/constraint-violations';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, ok, type Result } from '../../platform/result';
import type { BuiltInRole } from '../domain/built-in-roles';
import { Membership } from '../domain/membership';
import { MAX_ROLES_PER_TENANT } from '../domain/tenant-limits';
import { Role } from '../domain/role';
import { TenantFailures } from '../tenants.failures';

const NAME_TAKEN = { roles_tenant_id_name_key: TenantFailures.roleNameTaken };

/** Stores the roles of a tenant. A unique index compares names as they are seen. */
@Injectable()
export class RoleRepository extends EntityRepository<Role> {
  constructor(unitOfWork: UnitOfWork) {
    super(Role, unitOfWork);
  }

  /** Adds a role. ROLE_NAME_TAKEN if the tenant has a role of the same name. */
  add(role: Role): Promise<Result<void, 'ROLE_NAME_TAKEN'>> {
    return unlessViolated(NAME_TAKEN, () => this.insert(role));
  }

  /** Locks a role to change or delete it: no other transaction can use it until this one ends. */
  lock(tenantId: string, id: string): Promise<Role | null> {
    return this.lockOne({ tenantId, id });
  }

  /** Locks a role to assign it: it cannot change until the transaction ends. */
  lockShared(tenantId: string, id: string): Promise<Role | null> {
    return this.lockOneShared({ tenantId, id });
  }

  /** Locks the role of an invitation to assign it; an undefined `id` means Member. */
  lockInvitable(tenantId: string, id: string | undefined): Promise<Role | null> {
    return this.lockOneShared(id ? { tenantId, id } : { tenantId, isBuiltIn: true, name: 'Member' });
  }

  /** The built-in roles that a transfer of the ownership assigns. */
  async findOwnerAndAdmin(tenantId: string): Promise<{ owner: Role; admin: Role }> {
    const roles = await this.rows.findBy({ tenantId, isBuiltIn: true });
    const named = (name: BuiltInRole) => roles.find((role) => role.name === name)!;
    return { owner: named('Owner'), admin: named('Admin') };
  }

  /** Saves a role that this transaction has locked. ROLE_NAME_TAKEN. */
  save(role: Role): Promise<Result<void, 'ROLE_NAME_TAKEN'>> {
    return unlessViolated(NAME_TAKEN, () => this.update(role));
  }

  /** Removes a role. CONFLICT while it has members, decided by the foreign key. */
  remove(role: Role): Promise<Result<void, 'CONFLICT'>> {
    return unlessViolated({ memberships_role_fkey: TenantFailures.roleInUse }, () => this.delete(role));
  }

  /**
   * LIMIT_REACHED if the tenant has as many roles as allowed. Counted in a transaction that holds
   * the tenant's serial lock.
   */
  async checkLimitBeforeAdding(tenantId: string): Promise<Result<void, 'LIMIT_REACHED'>> {
    const roles = await this.rows.countBy({ tenantId });
    return roles < MAX_ROLES_PER_TENANT ? ok() : err(TenantFailures.tooManyRoles);
  }

  countMembers({ tenantId, id }: Role): Promise<number> {
    return this.unitOfWork.manager.countBy(Membership, { tenantId, roleId: id });
  }
}
