import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { recordsOf } from '../../platform/database/entity-records';
import { EntityRepository, type LockMode } from '../../platform/database/entity-repository';
import { insertOf } from '../../platform/database/insert-statement';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Membership } from '../domain/membership';
import { Role } from '../domain/role';
import { Tenant } from '../domain/tenant';

const ROLES = recordsOf(Role);
const TENANT = insertOf(Tenant, { first: 2 });
const OWNER = insertOf(Membership, { first: TENANT.next });

/** One statement: foreign keys are checked when it ends. $1 are the roles. */
const ADD_TENANT = `
  WITH tenant AS (
    INSERT INTO ${TENANT.into} VALUES (${TENANT.values})
  ), roles AS (
    INSERT INTO roles (${ROLES.columns}) SELECT ${ROLES.columns} FROM ${ROLES.rowsOf('$1')}
  )
  INSERT INTO ${OWNER.into} VALUES (${OWNER.values})`;

/** Stores tenants. Methods run within the scope of the tenant in question. */
@Injectable()
export class TenantRepository extends EntityRepository<Tenant> {
  constructor(unitOfWork: UnitOfWork) {
    super(Tenant, unitOfWork);
  }

  /** Adds a tenant with its roles and its Owner, in one round trip. */
  async add(tenant: Tenant, roles: Role[], owner: Membership): Promise<void> {
    const parameters = [ROLES.parameter(roles), ...TENANT.parameters(tenant), ...OWNER.parameters(owner)];
    await this.unitOfWork.query(ADD_TENANT, parameters);
  }

  /** Renames a tenant and returns it. */
  async rename(id: string, name: string): Promise<Tenant> {
    return (await this.updateBy({ id }, { name }))[0];
  }

  /** Removes the tenants of these Owners, with all their rows. */
  async removeOwnedBy(userIds: readonly string[]): Promise<void> {
    const owned = await this.unitOfWork.manager.findBy(Membership, { userId: In([...userIds]), isOwner: true });
    await this.rows.delete({ id: In(owned.map(({ tenantId }) => tenantId)) });
  }

  /** Locks the rows of tenants in the order of their ids, until the transaction ends. */
  lockAll(ids: readonly string[], mode: LockMode): Promise<void> {
    return ids.length > 0 ? this.lockLater({ id: In([...ids]) }, mode) : Promise.resolve();
  }

  get(id: string): Promise<Tenant> {
    return this.rows.findOneByOrFail({ id });
  }
}
