import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import type { UnreadInTenantView } from '../http/views/notifications.views';

/** Counts a user's unread notifications for each tenant of which the user is a member. */
export class CountUnreadByTenant extends Query<Result<Page<UnreadInTenantView>>> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(CountUnreadByTenant)
export class CountUnreadByTenantHandler implements IQueryHandler<CountUnreadByTenant> {
  constructor(private readonly database: Database) {}

  async execute({ userId }: CountUnreadByTenant): Promise<Result<Page<UnreadInTenantView>>> {
    const sql = 'SELECT tenant_id AS "tenantId", unread AS count FROM unread_of($1)';
    return ok({ items: await this.database.read<UnreadInTenantView>(sql, [userId]), nextCursor: null });
  }
}
