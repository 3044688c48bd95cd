import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import { VISIBLE_TO_ACTOR } from '../data/notification.columns';
import type { UnreadCountView } from '../http/views/notifications.views';

/** Counts the caller's unread notifications of the active tenant and of no tenant. */
export class CountUnreadNotifications extends Query<Result<UnreadCountView>> {
  constructor(readonly actor: Actor) {
    super();
  }
}

@QueryHandler(CountUnreadNotifications)
export class CountUnreadNotificationsHandler implements IQueryHandler<CountUnreadNotifications> {
  constructor(private readonly database: Database) {}

  async execute({ actor }: CountUnreadNotifications): Promise<Result<UnreadCountView>> {
    const sql = `SELECT count(*)::int AS count FROM notifications WHERE ${VISIBLE_TO_ACTOR} AND read_at IS NULL`;
    const [view] = await this.database.readInTenant<UnreadCountView>(actor, sql, [actor.userId, actor.tenantId]);
    return ok(view);
  }
}
