import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { idAfter, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { select } from '../../platform/database/select-list';
import { ok, type Result } from '../../platform/result';
import type { OwnMembershipView, TenantView } from '../http/views/tenants.views';

interface MembershipRow extends Omit<OwnMembershipView & TenantView, 'tenant'> {
  readonly tenantId: string;
}

const MEMBERSHIP = select<MembershipRow>()({
  id: 'id',
  tenantId: 'tenant_id',
  name: 'tenant_name',
  createdAt: 'tenant_created_at',
  role: 'role',
  joinedAt: 'joined_at',
  obstacle: `sign_in_obstacle($4, tenant_id, $5)`,
});

/**
 * Lists the tenants of a user in the order in which they joined, with what keeps the session of an
 * access token out of them.
 */
export class ListTenants extends Query<Result<Page<OwnMembershipView>>> {
  constructor(
    readonly userId: string,
    readonly page: PageRequest,
    /** The jti of the access token; null for an operator, whom nothing keeps out. */
    readonly tokenId: string | null = null,
  ) {
    super();
  }
}

@QueryHandler(ListTenants)
export class ListTenantsHandler implements IQueryHandler<ListTenants> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, page, tokenId }: ListTenants): Promise<Result<Page<OwnMembershipView>>> {
    const rows = await this.database.read<MembershipRow>(
      `SELECT ${MEMBERSHIP}
         FROM memberships_of($1) WHERE id > $2 ORDER BY id LIMIT $3`,
      [userId, idAfter(page.cursor), page.limit + 1, tokenId, this.clock.now()],
    );
    const { items, nextCursor } = pageOf(rows, page.limit);
    const viewOf = ({ tenantId: id, name, createdAt, role, joinedAt, obstacle }: MembershipRow) => ({
      tenant: { id, name, createdAt },
      role,
      joinedAt,
      obstacle,
    });
    return ok({ items: items.map(viewOf), nextCursor });
  }
}
