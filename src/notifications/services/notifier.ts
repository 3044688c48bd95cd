import { Injectable } from '@nestjs/common';
import { DomainEvents, type DomainEvent, type EventClass } from '../../platform/domain-events';
import { NotificationRepository } from '../data/notification.repository';
import type { NewNotification } from '../domain/notification';
import type { NotificationKind } from '../domain/notification-data';
import { notificationSchemas } from './notification-schemas';

/**
 * The one way to create notifications: from domain events. A listener registers which notifications
 * the events of a class lead to; they are stored in the transaction of the events, with one
 * statement.
 */
@Injectable()
export class Notifier {
  private readonly schemas = notificationSchemas();

  constructor(
    private readonly events: DomainEvents,
    private readonly notifications: NotificationRepository,
  ) {}

  /**
   * Registers the notifications for events of a class. Refuses the start if the data of a kind have
   * no schema.
   * @param kinds the kinds of these notifications
   * @param notificationsFor receives all events published together; runs in their transaction
   */
  on<E extends DomainEvent, const Kinds extends readonly NotificationKind[]>(
    type: EventClass<E>,
    kinds: Kinds,
    notificationsFor: (
      events: E[],
    ) => readonly NewNotification<Kinds[number]>[] | Promise<readonly NewNotification<Kinds[number]>[]>,
  ): void {
    const kind = kinds.find((its) => !this.schemas.has(its));
    if (kind) throw new Error(`The notification '${kind}' has no schema. Describe its data with @NotificationSchema.`);
    this.events.on(type, async (events) => this.notifications.add(await notificationsFor(events)));
  }
}
