import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { IsNull, Not } from 'typeorm';
import type { Actor } from '../../http/access/actor';
import type { Page, PageRequest } from '../../platform/pagination';
import { EntityReader, withoutUndefined } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { NOTIFICATION_COLUMNS, visibleTo } from '../data/notification.columns';
import { Notification } from '../domain/notification';
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
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, unread, page }: ListNotifications): Promise<Result<Page<NotificationView>>> {
    const where = withoutUndefined({ ...visibleTo(actor), readAt: stateOf(unread) });
    return ok(await this.reader.findPage(Notification, { scope: actor, select: NOTIFICATION_COLUMNS, where }, page));
  }
}

function stateOf(unread: boolean | undefined) {
  if (unread === undefined) return undefined;
  return unread ? IsNull() : Not(IsNull());
}
