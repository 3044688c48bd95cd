import { Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NotWhileImpersonating, SignedIn } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { OptionalFlagParameter } from '../../http/validation/flag-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { CountView } from '../../http/responses/count.views';
import { PageQuery } from '../../http/validation/page-query';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { MarkAllNotificationsRead } from '../commands/mark-all-notifications-read';
import { MarkNotificationRead } from '../commands/mark-notification-read';
import { NotificationView, UnreadInTenantView } from './views/notifications.views';
import { CountUnreadByTenant } from '../queries/count-unread-by-tenant';
import { CountUnreadNotifications } from '../queries/count-unread-notifications';
import { ListNotifications } from '../queries/list-notifications';

class NotificationsQuery extends PageQuery {
  @OptionalFlagParameter() unread?: boolean;
}

/** The caller's notifications: of the active tenant, and those that belong to no tenant. */
@ApiTags('notifications')
@Controller('notifications')
@SignedIn()
export class NotificationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({
    summary: 'List notifications',
    description: 'Your notifications of the active tenant and those without a tenant, newest first.',
    data: NotificationView,
    list: true,
  })
  listNotifications(@CurrentActor() actor: Actor, @Query() { unread, ...page }: NotificationsQuery) {
    return this.queries.execute(new ListNotifications(actor, unread, page));
  }

  @Get('unread-count')
  @Responds({
    summary: 'Count unread notifications',
    description: 'Counts the notifications that the list returns.',
    data: CountView,
  })
  countUnreadNotifications(@CurrentActor() actor: Actor) {
    return this.queries.execute(new CountUnreadNotifications(actor));
  }

  @Get('unread-counts')
  @Responds({
    summary: 'Count unread notifications by tenant',
    description: 'For all of your tenants that have any. Counts the newest 1,000 unread notifications.',
    data: UnreadInTenantView,
    list: true,
  })
  countUnreadByTenant(@CurrentActor() { userId }: Actor) {
    return this.queries.execute(new CountUnreadByTenant(userId));
  }

  @Post(':id/read')
  @NotWhileImpersonating()
  @Responds({ summary: 'Mark a notification as read', data: null, failures: [PlatformFailures.notFound] })
  markNotificationRead(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new MarkNotificationRead(actor, id));
  }

  @Post('read-all')
  @NotWhileImpersonating()
  @Responds({
    summary: 'Mark all notifications as read',
    description: 'Marks the notifications that the list returns.',
    data: null,
    failures: [PlatformFailures.notFound],
  })
  markAllNotificationsRead(@CurrentActor() actor: Actor) {
    return this.commands.execute(new MarkAllNotificationsRead(actor));
  }
}
