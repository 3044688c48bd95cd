import { ApiProperty } from '@nestjs/swagger';
import { NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../domain/notification';

export class NotificationView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @NullableText({
    format: 'uuid',
    description: 'Tenant of the notification; null: shown in every tenant',
  })
  readonly tenantId!: string | null;
  @ApiProperty({ enum: NOTIFICATION_KINDS }) readonly kind!: NotificationKind;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Fields by kind. MemberInvited: invitationId, email, role. ' +
      'InvitationReceived: invitationId, tenantId, tenantName, role; accepted with the emailed link. ' +
      'MemberJoined: userId, name, email, role. ' +
      'AccountAccessed, when an operator starts to impersonate you: reason, which can be null. ' +
      'SubscriptionPastDue and PaymentRecovered: plan. ' +
      'SubscriptionCanceled: plan, endsAt, hasEnded (false: cancellation planned; true: subscription ended). ' +
      'TrialEnding, three days before the end: plan, endsAt.',
  })
  readonly data!: object;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
  @NullableTime('Time at which it was read; null while unread')
  readonly readAt!: Date | null;
}

/** The number of unread notifications. */
export class UnreadCountView {
  @ApiProperty({ type: 'integer' }) readonly count!: number;
}

/** The number of unread notifications of one tenant. */
export class UnreadInTenantView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly tenantId!: string;
  @ApiProperty({ type: 'integer' }) readonly count!: number;
}
