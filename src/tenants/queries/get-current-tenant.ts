import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Database } from '../../platform/database/database';
import { columnsOf } from '../../platform/database/select-list';
import { Tenant } from '../domain/tenant';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import type { TenantView } from '../http/views/tenants.views';

/** Gets the active tenant. NOT_FOUND if it was deleted after the token was issued. */
export class GetCurrentTenant extends Query<Result<TenantView, 'NOT_FOUND'>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@QueryHandler(GetCurrentTenant)
export class GetCurrentTenantHandler implements IQueryHandler<GetCurrentTenant> {
  constructor(private readonly database: Database) {}

  async execute({ actor }: GetCurrentTenant) {
    const sql = `SELECT ${columnsOf(Tenant, 't')} FROM tenants t WHERE t.id = $1`;
    const [tenant] = await this.database.readInTenant<TenantView>(actor, sql, [actor.tenantId]);
    return tenant ? ok(tenant) : err(PlatformFailures.notFound);
  }
}
