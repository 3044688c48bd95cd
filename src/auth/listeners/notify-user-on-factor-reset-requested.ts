import { Injectable, type OnModuleInit } from '@nestjs/common';
import { dueAt, FactorResetRequested } from '../../factors/factors.api';
import { Notifier, type NewNotification } from '../../notifications/notifications.api';

/** Notifies a user whose second factor operators want to reset, in every tenant. */
@Injectable()
export class NotifyUserOnFactorResetRequested implements OnModuleInit {
  constructor(private readonly notifier: Notifier) {}

  onModuleInit(): void {
    this.notifier.on(FactorResetRequested, ['SecondFactorResetRequested'], (events) => events.map(notificationOf));
  }
}

const notificationOf = ({ userId, reset }: FactorResetRequested): NewNotification<'SecondFactorResetRequested'> => ({
  tenantId: null,
  userId,
  kind: 'SecondFactorResetRequested',
  data: { dueAt: dueAt(reset).toISOString() },
});
