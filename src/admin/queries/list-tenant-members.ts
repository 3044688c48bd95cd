import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page, PageQuery } from '../../http/validation/pagination';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, type Result } from '../../platform/result';
import { ListMembers, type MemberView } from '../../tenants/tenants.api';

/** Who is in a tenant, as its members see it. NOT_FOUND. */
export class ListTenantMembers extends Query<Result<Page<MemberView>>> {
  constructor(
    readonly tenantId: string,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListTenantMembers)
export class ListTenantMembersHandler implements IQueryHandler<ListTenantMembers> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ tenantId, page }: ListTenantMembers): Promise<Result<Page<MemberView>>> {
    const members = await this.queries.execute(new ListMembers({ tenantId }, page));
    const isNone = members.ok && members.value.items.length === 0 && !page.cursor; // a tenant always has its Owner
    return isNone ? err(PlatformFailures.notFound) : members;
  }
}
