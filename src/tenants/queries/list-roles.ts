import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { idAfter, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { columns, select } from '../../platform/database/select-list';
import { Role } from '../domain/role';
import { ok, type Result } from '../../platform/result';
import { roleSummary, type RoleRow } from '../data/role-summary';
import type { RoleView } from '../http/views/tenants.views';

type CountedRole = RoleRow & Pick<RoleView, 'memberCount'>;

const COUNTED_ROLE = select<CountedRole>()({
  ...columns(Role, 'r', ['id', 'name', 'isBuiltIn', 'permissions']),
  memberCount: 'coalesce(m.members, 0)',
});

/**
 * Lists the roles of the active tenant: the built-in ones, then the custom ones in the order of
 * creation.
 */
export class ListRoles extends Query<Result<Page<RoleView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListRoles)
export class ListRolesHandler implements IQueryHandler<ListRoles> {
  constructor(private readonly database: Database) {}

  async execute({ actor, page }: ListRoles): Promise<Result<Page<RoleView>>> {
    const rows = await this.database.readInTenant<CountedRole>(
      actor,
      `SELECT ${COUNTED_ROLE}
         FROM (SELECT * FROM roles WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3) r
         LEFT JOIN (SELECT role_id, count(*)::int AS members FROM memberships WHERE tenant_id = $1
           GROUP BY role_id) m ON m.role_id = r.id
        ORDER BY r.id`,
      [actor.tenantId, idAfter(page.cursor), page.limit + 1],
    );
    const { items, nextCursor } = pageOf(rows, page.limit);
    return ok({ items: items.map((role) => roleSummary(role, role.memberCount)), nextCursor });
  }
}
