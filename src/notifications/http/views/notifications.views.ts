import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/field.decorators';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../domain/notification';

export class NotificationView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @NullableText({
    format: 'uuid',
    description: 'The tenant that it belongs to; null: it is shown whatever tenant is active',
  })
  readonly tenantId!: string | null;
  @ApiProperty({ enum: NOTIFICATION_KINDS }) readonly kind!: NotificationKind;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'What it is about. MemberInvited: invitationId, email, role. InvitationReceived: invitationId, tenantId, tenantName, role; it is accepted by the ' +
      'mailed link. MemberJoined: userId, name, email, role. AccountAccessed, when an operator has begun to act as you: reason, which can be null. ' +
      'SubscriptionPastDue and PaymentRecovered: plan. SubscriptionCanceled: plan, endsAt, hasEnded ' +
      '(false: the end is planned; true: it has come). TrialEnding, three days before: plan, endsAt.',
  })
  readonly data!: object;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
  @NullableText({ format: 'date-time', description: 'When it was read; null while it is new' })
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
