import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InvitationSent, MemberJoined } from '../../tenants/tenants.api';
import type { NewNotification } from '../domain/notification';
import { Notifier } from '../services/notifier';

/**
 * Notifies about invitations (docs/contract.md, Notifications). An invitation notifies the Owner,
 * and the invited user, if the address has an account. Of an Owner's own invitation of a stranger,
 * the Owner's notification is read from the beginning; with an account, the invited user's is
 * enough. Joining notifies the sender of the invitation and the Owner.
 */
@Injectable()
export class NotifyOnInvitation implements OnModuleInit {
  constructor(private readonly notifier: Notifier) {}

  onModuleInit(): void {
    this.notifier.on(InvitationSent, ['MemberInvited', 'InvitationReceived'], (events) =>
      events.flatMap(sentNotifications),
    );
    this.notifier.on(MemberJoined, ['MemberJoined'], (events) => events.flatMap(joinedNotifications));
  }
}

type Sent = NewNotification<'MemberInvited' | 'InvitationReceived'>;

function sentNotifications({ by, tenantId, invitation, role, recipients }: InvitationSent): Sent[] {
  const { ownerId, invitedUserId, tenantName } = recipients;
  const data = { invitationId: invitation.id, role: role.name };
  const notifications: Sent[] = [];
  const isOwners = by.userId === ownerId;
  if (!isOwners || !invitedUserId)
    notifications.push({
      tenantId,
      userId: ownerId,
      kind: 'MemberInvited',
      data: { ...data, email: invitation.email },
      isRead: isOwners,
    });
  // belongs to no tenant: the invited user is not a member yet, and should see it in any tenant
  if (invitedUserId)
    notifications.push({
      tenantId: null,
      userId: invitedUserId,
      kind: 'InvitationReceived',
      data: { ...data, tenantId: invitation.tenantId, tenantName },
    });
  return notifications;
}

function joinedNotifications({ tenantId, target, role, recipients }: MemberJoined): NewNotification<'MemberJoined'>[] {
  const { name, email, ownerId, senderId } = recipients;
  const data = { userId: target.id, name, email, role: role.name };
  return [...new Set([senderId, ownerId])].map((userId) => ({ tenantId, userId, kind: 'MemberJoined', data }));
}
