import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NotificationRepository, type NewNotification } from '../../notifications/notifications.api';
import { DomainEvents } from '../../platform/domain-events';
import { BillingNoticeIssued } from '../billing.events';

/** Adds a notification for the Owner. */
@Injectable()
export class NotifyOwnerOnBillingNotice implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly notifications: NotificationRepository,
  ) {}

  onModuleInit(): void {
    this.events.on(BillingNoticeIssued, (events) => this.notifications.add(events.map(toNotification)));
  }
}

function toNotification({ owner, plan, notice: { kind, ...rest } }: BillingNoticeIssued): NewNotification {
  return { tenantId: owner.tenantId, userId: owner.userId, kind, data: { plan, ...rest } };
}
