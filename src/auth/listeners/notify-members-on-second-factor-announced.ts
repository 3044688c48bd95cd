import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Notifier, type NewNotification } from '../../notifications/notifications.api';
import { SecondFactorAnnounced } from '../domain/sign-in-policy-events';

/** Notifies members that their tenant will ask for a second factor, in every tenant of theirs. */
@Injectable()
export class NotifyMembersOnSecondFactorAnnounced implements OnModuleInit {
  constructor(private readonly notifier: Notifier) {}

  onModuleInit(): void {
    this.notifier.on(SecondFactorAnnounced, ['SecondFactorRequired'], (events) => events.flatMap(notificationsOf));
  }
}

const notificationsOf = ({ from, members }: SecondFactorAnnounced): NewNotification<'SecondFactorRequired'>[] =>
  members.map(({ userId, tenantName }) => ({
    tenantId: null,
    userId,
    kind: 'SecondFactorRequired',
    data: { tenantName, from },
  }));
