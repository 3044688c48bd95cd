import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { JsonPage, type JsonPageRow } from '../../http/responses/json-page';
import { idAfter, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Ok } from '../../platform/result';
import type { TenantScope } from '../../platform/database/tenant-scope';
import { MEMBERS_PAGE, showsSecondFactors, type Member } from '../data/member-select';
import type { MemberView } from '../http/views/tenants.views';

/** Lists the members of a tenant in the order in which they joined. */
export class ListMembers extends Query<Ok<JsonPage<MemberView>>> {
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

  async execute({ scope, page }: ListMembers): Promise<Ok<JsonPage<MemberView>>> {
    const showsFactor = !scope.permissions || showsSecondFactors({ permissions: scope.permissions });
    const parameters = [scope.tenantId, idAfter(page.cursor), page.limit, showsFactor];
    const [row] = await this.database.readInTenant<JsonPageRow<Member>>(scope, MEMBERS_PAGE, parameters);
    return ok(new JsonPage(row));
  }
}
