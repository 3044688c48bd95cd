import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { IsNull } from 'typeorm';
import type { Actor } from '../../http/access/actor';
import type { CountView } from '../../http/responses/count.views';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { visibleTo } from '../data/notification.columns';
import { Notification } from '../domain/notification';

/** Counts the caller's unread notifications of the active tenant and of no tenant. */
export class CountUnreadNotifications extends Query<Result<CountView>> {
  constructor(readonly actor: Actor) {
    super();
  }
}

@QueryHandler(CountUnreadNotifications)
export class CountUnreadNotificationsHandler implements IQueryHandler<CountUnreadNotifications> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor }: CountUnreadNotifications): Promise<Result<CountView>> {
    const where = { ...visibleTo(actor), readAt: IsNull() };
    return ok({ count: await this.reader.count(Notification, { scope: actor, where }) });
  }
}
