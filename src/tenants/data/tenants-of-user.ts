import { Injectable } from '@nestjs/common';
import { DatabaseFunction } from '../../platform/database/database-function';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Tenant } from '../domain/tenant';

/** A tenant that a user is a member of. */
export type TenantOfUser = Pick<Tenant, 'id' | 'name'>;

const TENANTS_OF = new DatabaseFunction<TenantOfUser>('memberships_of', { id: 'tenant_id', name: 'tenant_name' });

/**
 * Lists the tenants of a user, at most MAX_TENANTS_PER_USER. Their rows are outside of the running
 * scope, so a function of the database reads them.
 */
@Injectable()
export class TenantsOfUser {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Whether two users are members of a same tenant. */
  async share(userId: string, otherId: string): Promise<boolean> {
    const [tenants, others] = [await this.list(userId), await this.list(otherId)];
    return tenants.some(({ id }) => others.some((other) => other.id === id));
  }

  list(userId: string): Promise<TenantOfUser[]> {
    return this.unitOfWork.call(TENANTS_OF, userId);
  }
}
