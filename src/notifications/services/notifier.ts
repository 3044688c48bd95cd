import { Injectable } from '@nestjs/common';
import { DomainEvents, type DomainEvent, type EventClass } from '../../platform/domain-events';
import { NotificationRepository } from '../data/notification.repository';
import type { NewNotification } from '../domain/notification';

/**
 * The one way to create notifications: from domain events. A listener registers which notifications
 * the events of a class lead to; they are stored in the transaction of the events, with one
 * statement.
 */
@Injectable()
export class Notifier {
  constructor(
    private readonly events: DomainEvents,
    private readonly notifications: NotificationRepository,
  ) {}

  /**
   * Registers the notifications for events of a class.
   * @param notificationsFor receives all events published together; runs in their transaction
   */
  on<E extends DomainEvent>(
    type: EventClass<E>,
    notificationsFor: (events: E[]) => readonly NewNotification[] | Promise<readonly NewNotification[]>,
  ): void {
    this.events.on(type, async (events) => this.notifications.add(await notificationsFor(events)));
  }
}
