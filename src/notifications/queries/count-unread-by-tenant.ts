import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { DatabaseFunction } from '../../platform/database/database-function';
import { ok, type Result } from '../../platform/result';
import type { UnreadInTenantView } from '../http/views/notifications.views';

/** Counts a user's unread notifications for each tenant of which the user is a member. */
export class CountUnreadByTenant extends Query<Result<Page<UnreadInTenantView>>> {
  constructor(readonly userId: string) {
    super();
  }
}

const UNREAD_OF = new DatabaseFunction<UnreadInTenantView>('unread_of', { tenantId: 'tenant_id', count: 'unread' });

@QueryHandler(CountUnreadByTenant)
export class CountUnreadByTenantHandler implements IQueryHandler<CountUnreadByTenant> {
  constructor(private readonly database: Database) {}

  async execute({ userId }: CountUnreadByTenant): Promise<Result<Page<UnreadInTenantView>>> {
    return ok({ items: await this.database.readFunction(UNREAD_OF, userId), nextCursor: null });
  }
}
