import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InvitationSent, MemberJoined } from '../../tenants/tenants.api';
import type { NewNotification } from '../domain/notification';
import { Notifier } from '../services/notifier';

/**
 * Notifies about invitations (docs/contract.md, Notifications). An invitation notifies the Owner,
 * unless they sent it, and the invited user, if the address has an account. Joining notifies the
 * sender of the invitation and the Owner.
 */
@Injectable()
export class NotifyOnInvitation implements OnModuleInit {
  constructor(private readonly notifier: Notifier) {}

  onModuleInit(): void {
    this.notifier.on(InvitationSent, (events) => events.flatMap(sentNotifications));
    this.notifier.on(MemberJoined, (events) => events.flatMap(joinedNotifications));
  }
}

function sentNotifications({ by, tenantId, target, role, data, recipients }: InvitationSent): NewNotification[] {
  const { ownerId, invitedUserId, tenantName } = recipients;
  const invitation = { invitationId: target.id, role: role.name };
  const notifications: NewNotification[] = [];
  if (by.userId !== ownerId)
    notifications.push({
      tenantId,
      userId: ownerId,
      kind: 'MemberInvited',
      data: { ...invitation, email: data.email },
    });
  // belongs to no tenant: the invited user is not a member yet, and should see it in any tenant
  const received = { ...invitation, tenantId, tenantName };
  if (invitedUserId)
    notifications.push({ tenantId: null, userId: invitedUserId, kind: 'InvitationReceived', data: received });
  return notifications;
}

function joinedNotifications({ tenantId, target, data, recipients }: MemberJoined): NewNotification[] {
  const { name, email, ownerId, senderId } = recipients;
  const userIds = [...new Set([senderId, ownerId])];
  return userIds.map((userId) => ({
    tenantId,
    userId,
    kind: 'MemberJoined',
    data: { userId: target.id, name, email, role: data.role },
  }));
}
