import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import type { Page, PageRequest } from '../../platform/pagination';
import { computed, EntityReader } from '../../platform/database/entity-reader';
import { Membership } from '../domain/membership';
import { Role } from '../domain/role';
import { ok, type Result } from '../../platform/result';
import { roleSummary } from '../data/role-summary';
import type { RoleView } from '../http/views/tenants.views';

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

/** The number of members with a role. */
const memberCount = computed<number>((query) =>
  query
    .select('count(*)::int')
    .from(Membership, 'member')
    .where('member.tenantId = r.tenantId AND member.roleId = r.id'),
);

@QueryHandler(ListRoles)
export class ListRolesHandler implements IQueryHandler<ListRoles> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, page }: ListRoles): Promise<Result<Page<RoleView>>> {
    const rows = {
      scope: actor,
      select: ['id', 'name', 'isBuiltIn', 'permissions'] as const,
      computed: { memberCount },
      where: { tenantId: actor.tenantId },
      isAscending: true,
    };
    const { items, nextCursor } = await this.reader.findPage(Role, rows, page);
    return ok({ items: items.map((role) => roleSummary(role, role.memberCount)), nextCursor });
  }
}
