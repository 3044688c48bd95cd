import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { MoreThan } from 'typeorm';
import type { Actor } from '../../http/access/actor';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { NOTIFICATION_COLUMNS, visibleTo } from '../data/notification.columns';
import { Notification } from '../domain/notification';
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
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, position }: ListNewNotifications): Promise<Result<NewNotifications>> {
    if (position === undefined) return ok({ items: [], position: await this.newest(actor), more: false });
    const rows = await this.reader.find(Notification, {
      scope: actor,
      isFresh: true,
      select: [...NOTIFICATION_COLUMNS, 'position'],
      where: { ...visibleTo(actor), position: MoreThan(position) },
      order: { position: 'ASC' },
      limit: BATCH,
    });
    const items = rows.map(({ position: at, ...view }) => ({ position: at, view }));
    return ok({ items, position: rows.at(-1)?.position ?? position, more: rows.length === BATCH });
  }

  private async newest(actor: Actor): Promise<string> {
    const [newest] = await this.reader.find(Notification, {
      scope: actor,
      isFresh: true,
      select: ['position'],
      where: visibleTo(actor),
      order: { position: 'DESC' },
      limit: 1,
    });
    return newest?.position ?? '0';
  }
}
