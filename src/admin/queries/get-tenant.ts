import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import type { AdminTenantDetailView } from '../http/views/admin.views';
import { adminTenantsFrom } from './list-all-tenants';

/** A tenant as operators see it. NOT_FOUND. */
export class GetTenant extends Query<Result<AdminTenantDetailView>> {
  constructor(readonly tenantId: string) {
    super();
  }
}

const DETAILS = `,
         s.current_period_end AS "currentPeriodEnd", coalesce(s.cancel_at_period_end, false) AS "cancelAtPeriodEnd", s.trial_ends_at AS "trialEndsAt",
         s.updated_at AS "subscriptionUpdatedAt"`;

@QueryHandler(GetTenant)
export class GetTenantHandler implements IQueryHandler<GetTenant> {
  constructor(private readonly database: Database) {}

  async execute({ tenantId }: GetTenant): Promise<Result<AdminTenantDetailView>> {
    const sql = adminTenantsFrom('SELECT * FROM tenants WHERE id = $1', DETAILS);
    const [tenant] = await this.database.readInTenant<AdminTenantDetailView>(EVERY_TENANT, sql, [tenantId]);
    return tenant ? ok(tenant) : err(PlatformFailures.notFound);
  }
}
