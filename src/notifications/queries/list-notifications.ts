import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { idOf, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import { NOTIFICATION_COLUMNS, VISIBLE_TO_ACTOR } from '../data/notification.columns';
import type { NotificationView } from '../http/views/notifications.views';

/** Lists the caller's notifications of the active tenant and of no tenant, newest first. */
export class ListNotifications extends Query<Result<Page<NotificationView>>> {
  constructor(
    readonly actor: Actor,
    /** true: unread only; false: read only; undefined: all. */
    readonly unread: boolean | undefined,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListNotifications)
export class ListNotificationsHandler implements IQueryHandler<ListNotifications> {
  constructor(private readonly database: Database) {}

  async execute({ actor, unread, page }: ListNotifications): Promise<Result<Page<NotificationView>>> {
    const state = unread === undefined ? '' : `AND read_at IS ${unread ? 'NULL' : 'NOT NULL'}`;
    const rows = await this.database.readInTenant<NotificationView>(
      actor,
      `SELECT ${NOTIFICATION_COLUMNS} FROM notifications n
        WHERE ${VISIBLE_TO_ACTOR} ${state} AND ($3::uuid IS NULL OR id < $3)
        ORDER BY id DESC LIMIT $4`,
      [actor.userId, actor.tenantId, idOf(page.cursor), page.limit + 1],
    );
    return ok(pageOf(rows, page.limit));
  }
}
