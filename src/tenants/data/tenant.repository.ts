import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/unit-of-work';
import { Membership } from '../domain/membership';
import { Role } from '../domain/role';
import { Tenant } from '../domain/tenant';

const COLUMNS = `id, name, created_at AS "createdAt"`;

/** The tenants. Call within the scope of the one that is meant, which the unit of work keeps there meanwhile. */
@Injectable()
export class TenantRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async add(tenant: Tenant, roles: Role[], owner: Membership): Promise<void> {
    await this.unitOfWork.manager.insert(Tenant, tenant);
    await this.unitOfWork.manager.insert(Role, roles);
    await this.unitOfWork.manager.insert(Membership, owner);
  }

  /** The tenant as it is called from now on. */
  async rename(id: string, name: string): Promise<Tenant> {
    const [tenant] = await this.unitOfWork.query<Tenant>(`UPDATE tenants SET name = $2 WHERE id = $1 RETURNING ${COLUMNS}`, [id, name]);
    return tenant;
  }

  /** Deletes the tenant with all that belongs to it, but for its audit log. @returns what it was */
  async remove(id: string): Promise<Tenant> {
    const [tenant] = await this.unitOfWork.query<Tenant>(`DELETE FROM tenants WHERE id = $1 RETURNING ${COLUMNS}`, [id]);
    return tenant;
  }
}
