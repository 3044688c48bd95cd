import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { GetSignInPolicy } from '../../auth/auth.api';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import type { AdminTenantDetailView } from '../http/views/tenant.views';
import { readTenants, SUBSCRIPTION_DETAIL_COLUMNS } from '../data/tenant-rows';

/** Gets a tenant with the details of its subscription, and its sign-in policy. NOT_FOUND. */
export class GetTenant extends Query<Result<AdminTenantDetailView, 'NOT_FOUND'>> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@QueryHandler(GetTenant)
export class GetTenantHandler implements IQueryHandler<GetTenant> {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ tenantId }: GetTenant): Promise<Result<AdminTenantDetailView, 'NOT_FOUND'>> {
    const [[tenant], policy] = await Promise.all([
      readTenants<Omit<AdminTenantDetailView, 'signInPolicy'>>(this.database, {
        rows: 'SELECT * FROM tenants WHERE id = $1',
        parameters: [tenantId],
        now: this.clock.now(),
        more: SUBSCRIPTION_DETAIL_COLUMNS,
      }),
      this.queries.execute(new GetSignInPolicy(tenantId)),
    ]);
    if (!tenant) return err(PlatformFailures.notFound);
    return policy.ok ? ok({ ...tenant, signInPolicy: policy.value }) : policy;
  }
}
