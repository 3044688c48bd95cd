import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { idAfter, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { select } from '../../platform/database/select-list';
import { ok, type Result } from '../../platform/result';
import type { MembershipView, TenantView } from '../http/views/tenants.views';

interface MembershipRow extends Omit<MembershipView & TenantView, 'tenant'> {
  readonly tenantId: string;
}

const MEMBERSHIP = select<MembershipRow>()({
  id: 'id',
  tenantId: 'tenant_id',
  name: 'tenant_name',
  createdAt: 'tenant_created_at',
  role: 'role',
  joinedAt: 'joined_at',
});

/** Lists the tenants of a user in the order in which they joined. */
export class ListTenants extends Query<Result<Page<MembershipView>>> {
  constructor(
    readonly userId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListTenants)
export class ListTenantsHandler implements IQueryHandler<ListTenants> {
  constructor(private readonly database: Database) {}

  async execute({ userId, page }: ListTenants): Promise<Result<Page<MembershipView>>> {
    const rows = await this.database.read<MembershipRow>(
      `SELECT ${MEMBERSHIP}
         FROM memberships_of($1) WHERE id > $2 ORDER BY id LIMIT $3`,
      [userId, idAfter(page.cursor), page.limit + 1],
    );
    const { items, nextCursor } = pageOf(rows, page.limit);
    const viewOf = ({ tenantId: id, name, createdAt, role, joinedAt }: MembershipRow) => ({
      tenant: { id, name, createdAt },
      role,
      joinedAt,
    });
    return ok({ items: items.map(viewOf), nextCursor });
  }
}
