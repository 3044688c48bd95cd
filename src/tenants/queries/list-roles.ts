import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { SelectQueryBuilder } from 'typeorm';
import type { TenantActor } from '../../http/access/actor';
import type { Page, PageRequest } from '../../platform/pagination';
import { computed, EntityReader } from '../../platform/database/entity-reader';
import { Membership } from '../domain/membership';
import { Role } from '../domain/role';
import { ok, type Result } from '../../platform/result';
import { roleSummary } from '../data/role-summary';
import { LargeRoleSizes } from '../services/large-role-sizes';
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

/** The members of a role that are counted for each request. */
const COUNTED = 10_000;

/**
 * The number of members with a role, or one more than are counted.
 * @param known the roles of which none are counted
 */
const memberCountExcept = (known: ReadonlySet<string>) =>
  computed<number>((query) =>
    query.select('count(*)::int').from(
      (members: SelectQueryBuilder<object>) =>
        members
          .select('1')
          .from(Membership, 'member')
          .where('member.tenantId = r.tenantId AND member.roleId = r.id')
          .andWhere('r.id <> ALL(ARRAY(SELECT unnest(CAST(:known AS uuid[]))))', { known: [...known] })
          .limit(COUNTED + 1),
      'counted',
    ),
  );

@QueryHandler(ListRoles)
export class ListRolesHandler implements IQueryHandler<ListRoles> {
  constructor(
    private readonly reader: EntityReader,
    private readonly sizes: LargeRoleSizes,
  ) {}

  async execute({ actor, page }: ListRoles): Promise<Result<Page<RoleView>>> {
    const known = this.sizes.rolesOf(actor.tenantId);
    const rows = {
      scope: actor,
      select: ['id', 'name', 'isBuiltIn', 'permissions'] as const,
      computed: { memberCount: memberCountExcept(known) },
      where: { tenantId: actor.tenantId },
      isAscending: true,
    };
    const { items, nextCursor } = await this.reader.findPage(Role, rows, page);
    const isLarge = ({ id, memberCount }: { id: string; memberCount: number }) =>
      known.has(id) || memberCount > COUNTED;
    const summaries = items.map(async (role) =>
      roleSummary(role, isLarge(role) ? await this.sizes.sizeOf(actor, role.id) : role.memberCount),
    );
    return ok({ items: await Promise.all(summaries), nextCursor });
  }
}
