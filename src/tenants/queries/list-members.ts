import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { idAfter, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import type { TenantScope } from '../../platform/database/tenant-scope';
import { memberOf, MEMBERS_PAGE, showsSecondFactors, type MemberRow } from '../data/member-select';
import type { MemberView } from '../http/views/tenants.views';

/** Lists the members of a tenant in the order in which they joined. */
export class ListMembers extends Query<Result<Page<MemberView>>> {
  constructor(
    /** The scope of the tenant; an actor means the active tenant. */
    readonly scope: TenantScope & { readonly tenantId: string; readonly permissions?: readonly string[] },
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListMembers)
export class ListMembersHandler implements IQueryHandler<ListMembers> {
  constructor(private readonly database: Database) {}

  async execute({ scope, page }: ListMembers): Promise<Result<Page<MemberView>>> {
    const rows = await this.database.readInTenant<MemberRow>(scope, MEMBERS_PAGE, [
      scope.tenantId,
      idAfter(page.cursor),
      page.limit + 1,
    ]);
    const { items, nextCursor } = pageOf(rows, page.limit);
    const showsFactor = !scope.permissions || showsSecondFactors({ permissions: scope.permissions });
    return ok({ items: items.map((member) => memberOf(member, showsFactor)), nextCursor });
  }
}
