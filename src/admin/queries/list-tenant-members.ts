import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { JsonPage } from '../../http/responses/json-page';
import type { PageRequest } from '../../platform/pagination';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, type Result } from '../../platform/result';
import { ListMembers, type MemberView } from '../../tenants/tenants.api';

/** Lists the members of a tenant as its members see them. NOT_FOUND. */
export class ListTenantMembers extends Query<Result<JsonPage<MemberView>, 'NOT_FOUND'>> {
  constructor(
    readonly tenantId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListTenantMembers)
export class ListTenantMembersHandler implements IQueryHandler<ListTenantMembers> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ tenantId, page }: ListTenantMembers) {
    const members = await this.queries.execute(new ListMembers({ tenantId }, page));
    // an existing tenant always has an Owner
    return members.value.isEmpty && !page.cursor ? err(PlatformFailures.notFound) : members;
  }
}
