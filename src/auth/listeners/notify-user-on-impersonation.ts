import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Notifier, type NewNotification } from '../../notifications/notifications.api';
import { UserImpersonated } from '../domain/operator-events';

/**
 * Notifies a user who is impersonated, with the reason (docs/contract.md, Impersonation). The
 * notification belongs to the account instead of a tenant, so that it is shown in every tenant. It
 * does not name the admin.
 */
@Injectable()
export class NotifyUserOnImpersonation implements OnModuleInit {
  constructor(private readonly notifier: Notifier) {}

  onModuleInit(): void {
    this.notifier.on(UserImpersonated, ['AccountAccessed'], (events) => events.map(notificationOf));
  }
}

const notificationOf = ({ target, reason }: UserImpersonated): NewNotification<'AccountAccessed'> => ({
  tenantId: null,
  userId: target.id,
  kind: 'AccountAccessed',
  data: { reason },
});
