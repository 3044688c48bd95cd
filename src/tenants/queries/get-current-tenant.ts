import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { EntityReader } from '../../platform/database/entity-reader';
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
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor }: GetCurrentTenant) {
    const rows = { scope: actor, select: ['id', 'name', 'createdAt'] as const, where: { id: actor.tenantId } };
    const tenant = await this.reader.findOne(Tenant, rows);
    return tenant ? ok(tenant) : err(PlatformFailures.notFound);
  }
}
