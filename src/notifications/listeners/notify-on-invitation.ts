import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { InvitationSent, MemberJoined } from '../../tenants/tenants.api';
import { NotificationRepository, type NewNotification } from '../data/notification.repository';

/**
 * Tells of invitations (contract section 4): the Owner, unless they sent it themselves, and the
 * invited person, where the address has an account. Whoever sent it, and the Owner, hear that
 * somebody has joined.
 */
@Injectable()
export class NotifyOnInvitation implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly notifications: NotificationRepository,
  ) {}

  onModuleInit(): void {
    this.events.on(InvitationSent, (events) => this.notifications.add(events.flatMap(sentNotices)));
    this.events.on(MemberJoined, (events) => this.notifications.add(events.flatMap(joinedNotices)));
  }
}

function sentNotices({ by, tenantId, target, role, data, concerned }: InvitationSent): NewNotification[] {
  const { ownerId, invitedUserId, tenantName } = concerned;
  const invitation = { invitationId: target.id, role: role.name };
  const notices: NewNotification[] = [];
  if (by.userId !== ownerId)
    notices.push({ tenantId, userId: ownerId, kind: 'MemberInvited', data: { ...invitation, email: data.email } });
  // Of no tenant: the invited person is not in this one yet, and should see it wherever they are.
  const received = { ...invitation, tenantId, tenantName };
  if (invitedUserId)
    notices.push({ tenantId: null, userId: invitedUserId, kind: 'InvitationReceived', data: received });
  return notices;
}

function joinedNotices({ tenantId, target, data, concerned }: MemberJoined): NewNotification[] {
  const { name, email, ownerId, senderId } = concerned;
  const told = [...new Set([senderId, ownerId])];
  return told.map((userId) => ({
    tenantId,
    userId,
    kind: 'MemberJoined',
    data: { userId: target.id, name, email, role: data.role },
  }));
}
