import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import { NOTIFICATION_COLUMNS, VISIBLE_TO_ACTOR } from '../data/notification.columns';
import type { NotificationView } from '../http/views/notifications.views';

/** A notification and its place in the order in which its person's notifications become visible. */
export interface PlacedNotification {
  readonly position: string;
  readonly view: NotificationView;
}

export interface NewNotifications {
  readonly items: PlacedNotification[];
  /** Where to read on. */
  readonly position: string;
  /** Whether there are more already. */
  readonly more: boolean;
}

const BATCH = 100;

/**
 * One's own notifications behind a place in their order, oldest first, for the stream. At the
 * primary: what has just been announced must be there.
 */
export class ListNewNotifications extends Query<Result<NewNotifications>> {
  constructor(
    readonly actor: Actor,
    /** The position that was reached; undefined: begin with what comes from now on. */
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
      `SELECT ${NOTIFICATION_COLUMNS}, position FROM notifications WHERE ${VISIBLE_TO_ACTOR} AND position > $3 ORDER BY position LIMIT $4`,
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
