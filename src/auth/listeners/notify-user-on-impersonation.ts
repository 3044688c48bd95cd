import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NotificationRepository } from '../../notifications/notifications.api';
import { DomainEvents } from '../../platform/domain-events';
import { UserImpersonated } from '../auth.events';

/**
 * Notifies a user who is impersonated, with the reason (contract section 11, Impersonation). The
 * notification belongs to the account instead of a tenant, so that it is shown in every tenant. It
 * does not name the admin.
 */
@Injectable()
export class NotifyUserOnImpersonation implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly notifications: NotificationRepository,
  ) {}

  onModuleInit(): void {
    const notificationOf = ({ target, reason }: UserImpersonated) =>
      ({ tenantId: null, userId: target.id, kind: 'AccountAccessed', data: { reason } }) as const;
    this.events.on(UserImpersonated, (events) => this.notifications.add(events.map(notificationOf)));
  }
}
