import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Notifier, type NewNotification } from '../../notifications/notifications.api';
import { BillingNoticeIssued } from '../billing.events';

const KINDS = ['SubscriptionPastDue', 'PaymentRecovered', 'SubscriptionCanceled', 'TrialEnding'] as const;

/** Notifies the Owner of a change of the subscription. */
@Injectable()
export class NotifyOwnerOnBillingNotice implements OnModuleInit {
  constructor(private readonly notifier: Notifier) {}

  onModuleInit(): void {
    this.notifier.on(BillingNoticeIssued, KINDS, (events) => events.map(toNotification));
  }
}

function toNotification({ owner, plan, notice }: BillingNoticeIssued): NewNotification<(typeof KINDS)[number]> {
  const recipient = { tenantId: owner.tenantId, userId: owner.userId };
  switch (notice.kind) {
    case 'SubscriptionCanceled': {
      const { kind, endsAt, hasEnded } = notice;
      return { ...recipient, kind, data: { plan, endsAt: endsAt?.toISOString() ?? null, hasEnded } };
    }
    case 'TrialEnding':
      return { ...recipient, kind: notice.kind, data: { plan, endsAt: notice.endsAt.toISOString() } };
    default:
      return { ...recipient, kind: notice.kind, data: { plan } };
  }
}
