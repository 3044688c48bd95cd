import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NotificationRepository } from '../../notifications/notifications.api';
import { DomainEvents } from '../../platform/domain-events';
import { UserImpersonated } from '../auth.events';

/**
 * Tells a person that an admin acts as them, and why (contract section 11, Impersonation). The
 * notification is of no tenant: it is about the account, and is shown whatever tenant is active. It
 * does not say who the admin is.
 */
@Injectable()
export class NotifyUserOnImpersonation implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly notifications: NotificationRepository,
  ) {}

  onModuleInit(): void {
    const noticeOf = ({ target, reason }: UserImpersonated) =>
      ({ tenantId: null, userId: target.id, kind: 'AccountAccessed', data: { reason } }) as const;
    this.events.on(UserImpersonated, (events) => this.notifications.add(events.map(noticeOf)));
  }
}
