import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Actor } from '../../edge/actor';
import { Database } from '../../platform/database';
import { ok, type Result } from '../../platform/result';
import { NOTIFICATION, OWN, type NotificationView } from '../notifications.views';

export interface NewNotifications {
  readonly items: NotificationView[];
  /** Where to read on. */
  readonly position: string;
  /** Whether there are more already. */
  readonly more: boolean;
}

const BATCH = 100;

/**
 * One's own notifications behind a place in their order, oldest first, for the stream. At the primary: what has just been announced must be there.
 */
export class ListNewNotifications extends Query<Result<NewNotifications>> {
  constructor(
    readonly actor: Actor,
    /** The position that was reached, or the id of the notification that was seen last; undefined: begin with what comes from now on. */
    readonly after: { readonly position: string } | { readonly id: string } | undefined,
  ) {
    super();
  }
}

@QueryHandler(ListNewNotifications)
export class ListNewNotificationsHandler implements IQueryHandler<ListNewNotifications> {
  constructor(private readonly database: Database) {}

  async execute({ actor, after }: ListNewNotifications): Promise<Result<NewNotifications>> {
    const position = after && 'position' in after ? after.position : await this.start(actor, after?.id);
    const rows = await this.database.queryWithin<NotificationView & { position: string }>(
      actor,
      `SELECT ${NOTIFICATION}, position FROM notifications WHERE ${OWN} AND position > $3 ORDER BY position LIMIT $4`,
      [actor.userId, actor.tenantId, position, BATCH],
    );
    const items = rows.map(({ position: _position, ...view }) => view);
    return ok({ items, position: rows.at(-1)?.position ?? position, more: rows.length === BATCH });
  }

  /** The position of a notification that was seen, else of the newest there is; an id that is not known is as none. */
  private async start({ userId, tenantId }: Actor, seenId: string | undefined): Promise<string> {
    const [{ start }] = await this.database.queryWithin<{ start: string }>(
      { userId, tenantId },
      `SELECT coalesce((SELECT position FROM notifications WHERE ${OWN} AND id = $3),
                       (SELECT max(position) FROM notifications WHERE ${OWN}), 0) AS start`,
      [userId, tenantId, seenId ?? null],
    );
    return start;
  }
}
