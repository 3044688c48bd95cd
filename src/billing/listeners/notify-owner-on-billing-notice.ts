import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Notifier, type NewNotification } from '../../notifications/notifications.api';
import { BillingNoticeIssued } from '../billing.events';

/** Notifies the Owner of a change of the subscription. */
@Injectable()
export class NotifyOwnerOnBillingNotice implements OnModuleInit {
  constructor(private readonly notifier: Notifier) {}

  onModuleInit(): void {
    this.notifier.on(BillingNoticeIssued, (events) => events.map(toNotification));
  }
}

function toNotification({ owner, plan, notice: { kind, ...rest } }: BillingNoticeIssued): NewNotification {
  return { tenantId: owner.tenantId, userId: owner.userId, kind, data: { plan, ...rest } };
}
