import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../platform/domain-events';
import { InvitationSent } from '../tenants/tenants.contract';
import { NotificationRepository, type NewNotification } from './data/notification.repository';

/** Tells the Owner that somebody was invited, and the invited person, where the address has an account (contract section 4). */
@Injectable()
export class InvitationNotices implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly notifications: NotificationRepository,
  ) {}

  onModuleInit(): void {
    this.events.on(InvitationSent, (events) => this.notifications.add(events.flatMap(noticesOf)));
  }
}

function noticesOf({ tenantId, target, role, data, concerned }: InvitationSent): NewNotification[] {
  const { ownerId, invitedUserId, tenantName } = concerned;
  const invitation = { invitationId: target.id, role: role.name };
  const toOwner = { tenantId, userId: ownerId, kind: 'MemberInvited', data: { ...invitation, email: data.email } } as const;
  if (!invitedUserId) return [toOwner];
  // Of no tenant: the invited person is not in this one yet, and should see it wherever they are.
  const toInvited = { tenantId: null, userId: invitedUserId, kind: 'InvitationReceived', data: { ...invitation, tenantId, tenantName } } as const;
  return [toOwner, toInvited];
}
