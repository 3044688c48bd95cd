import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { NotificationRepository } from '../data/notification.repository';

/** Marks a notification of the caller as read. Idempotent. NOT_FOUND. */
export class MarkNotificationRead extends Command<Result<void, 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly notificationId: string,
  ) {
    super();
  }
}

@CommandHandler(MarkNotificationRead)
export class MarkNotificationReadHandler implements ICommandHandler<MarkNotificationRead> {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, notificationId }: MarkNotificationRead) {
    return this.unitOfWork.inTenant(actor, async () => {
      const found = await this.notifications.markRead(actor, notificationId);
      return found ? ok() : err(PlatformFailures.notFound);
    });
  }
}
