import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import type { AdminTenantDetailView } from '../http/views/tenant.views';
import { selectTenants, SUBSCRIPTION_DETAIL_COLUMNS } from '../data/tenant-select';

/** Gets a tenant with the details of its subscription. NOT_FOUND. */
export class GetTenant extends Query<Result<AdminTenantDetailView, 'NOT_FOUND'>> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@QueryHandler(GetTenant)
export class GetTenantHandler implements IQueryHandler<GetTenant> {
  constructor(private readonly database: Database) {}

  async execute({ tenantId }: GetTenant) {
    const sql = selectTenants('SELECT * FROM tenants WHERE id = $1', SUBSCRIPTION_DETAIL_COLUMNS);
    const [tenant] = await this.database.readInTenant<AdminTenantDetailView>(EVERY_TENANT, sql, [tenantId]);
    return tenant ? ok(tenant) : err(PlatformFailures.notFound);
  }
}
