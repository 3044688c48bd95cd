import { Module } from '@nestjs/common';
import { MarkAllNotificationsReadHandler } from './commands/mark-all-notifications-read';
import { MarkNotificationReadHandler } from './commands/mark-notification-read';
import { PurgeNotificationsHandler } from './commands/purge-notifications';
import { NotificationPositions } from './data/notification-positions';
import { NotificationRepository } from './data/notification.repository';
import { NotificationsController } from './http/notifications.controller';
import { StreamTiming } from './http/stream-timing';
import { StreamController } from './http/stream.controller';
import { NotifyOnInvitation } from './listeners/notify-on-invitation';
import { NotificationStreams } from './services/notification-streams';
import { Notifier } from './services/notifier';
import { CountUnreadByTenantHandler } from './queries/count-unread-by-tenant';
import { CountUnreadNotificationsHandler } from './queries/count-unread-notifications';
import { ListNewNotificationsHandler } from './queries/list-new-notifications';
import { ListNotificationsHandler } from './queries/list-notifications';

/** In-app notifications, as a list and as a stream. */
@Module({
  controllers: [StreamController, NotificationsController],
  providers: [
    NotifyOnInvitation,
    NotificationPositions,
    NotificationRepository,
    NotificationStreams,
    Notifier,
    StreamTiming,
    CountUnreadByTenantHandler,
    CountUnreadNotificationsHandler,
    ListNewNotificationsHandler,
    ListNotificationsHandler,
    MarkAllNotificationsReadHandler,
    MarkNotificationReadHandler,
    PurgeNotificationsHandler,
  ],
  exports: [Notifier],
})
export class NotificationsModule {}
