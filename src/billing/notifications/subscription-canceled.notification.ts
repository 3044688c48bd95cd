import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../http/validation/nullable.decorators';
import { NotificationSchema } from '../../notifications/notifications.api';
import { PLANS, type Plan } from '../entitlements/domain/plan';

declare module '../../notifications/domain/notification-data' {
  interface NotificationData {
    SubscriptionCanceled: SubscriptionCanceledData;
  }
}

/** The subscription was canceled; sent again when it has ended. */
@NotificationSchema('SubscriptionCanceled')
export class SubscriptionCanceledData {
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly plan!: Plan;
  @NullableText({ format: 'date-time' }) readonly endsAt!: string | null;
  @ApiProperty({ description: 'false: cancellation planned; true: subscription ended' }) readonly hasEnded!: boolean;
}
