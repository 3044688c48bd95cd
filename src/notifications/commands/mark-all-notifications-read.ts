import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { NotificationRepository } from '../data/notification.repository';

/**
 * Marks all notifications of the caller that the active tenant shows as read. NOT_FOUND if the
 * tenant was deleted.
 */
export class MarkAllNotificationsRead extends Command<Result<void, 'NOT_FOUND'>> {
  constructor(readonly actor: Actor) {
    super();
  }
}

@CommandHandler(MarkAllNotificationsRead)
export class MarkAllNotificationsReadHandler implements ICommandHandler<MarkAllNotificationsRead> {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor }: MarkAllNotificationsRead) {
    return this.unitOfWork.inTenant(actor, async () => {
      await this.notifications.markAllRead(actor);
      return ok();
    });
  }
}
