import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Database } from '../../platform/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/tenant-scope';
import type { AdminTenantView } from '../admin.views';
import { adminTenantsFrom } from './list-all-tenants';

/** A tenant as operators see it. NOT_FOUND. */
export class GetTenant extends Query<Result<AdminTenantView>> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@QueryHandler(GetTenant)
export class GetTenantHandler implements IQueryHandler<GetTenant> {
  constructor(private readonly database: Database) {}

  async execute({ tenantId }: GetTenant): Promise<Result<AdminTenantView>> {
    const sql = adminTenantsFrom('SELECT * FROM tenants WHERE id = $1');
    const [tenant] = await this.database.readWithin<AdminTenantView>(EVERY_TENANT, sql, [tenantId]);
    return tenant ? ok(tenant) : err(PlatformFailures.notFound);
  }
}
