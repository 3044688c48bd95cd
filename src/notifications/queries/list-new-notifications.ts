import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import { NOTIFICATION_COLUMNS, VISIBLE_TO_ACTOR } from '../data/notification.columns';
import type { NotificationView } from '../http/views/notifications.views';

/**
 * A notification with its position in the order in which the user's notifications become visible.
 */
export interface PositionedNotification {
  readonly position: string;
  readonly view: NotificationView;
}

export interface NewNotifications {
  readonly items: PositionedNotification[];
  /** The position to continue from. */
  readonly position: string;
  /** Whether further notifications are available already. */
  readonly more: boolean;
}

const BATCH = 100;

/**
 * Lists the caller's notifications after a position, oldest first, for the stream. Reads the
 * primary, because a notification that was just announced must be included.
 */
export class ListNewNotifications extends Query<Result<NewNotifications>> {
  constructor(
    readonly actor: Actor,
    /** The last position read; undefined: start with the next notification. */
    readonly position: string | undefined,
  ) {
    super();
  }
}

@QueryHandler(ListNewNotifications)
export class ListNewNotificationsHandler implements IQueryHandler<ListNewNotifications> {
  constructor(private readonly database: Database) {}

  async execute({ actor, position }: ListNewNotifications): Promise<Result<NewNotifications>> {
    if (position === undefined) return ok({ items: [], position: await this.newest(actor), more: false });
    const rows = await this.database.queryInTenant<NotificationView & { position: string }>(
      actor,
      `SELECT ${NOTIFICATION_COLUMNS}, position FROM notifications n
         WHERE ${VISIBLE_TO_ACTOR} AND position > $3 ORDER BY position LIMIT $4`,
      [actor.userId, actor.tenantId, position, BATCH],
    );
    const items = rows.map(({ position: at, ...view }) => ({ position: at, view }));
    return ok({ items, position: rows.at(-1)?.position ?? position, more: rows.length === BATCH });
  }

  private async newest({ userId, tenantId }: Actor): Promise<string> {
    const sql = `SELECT coalesce(max(position), 0) AS position FROM notifications WHERE ${VISIBLE_TO_ACTOR}`;
    const [{ position }] = await this.database.queryInTenant<{ position: string }>({ userId, tenantId }, sql, [
      userId,
      tenantId,
    ]);
    return position;
  }
}
