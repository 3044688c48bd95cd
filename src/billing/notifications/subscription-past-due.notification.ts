import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../../notifications/notifications.api';
import { PLANS, type Plan } from '../entitlements/domain/plan';

declare module '../../notifications/domain/notification-data' {
  interface NotificationData {
    SubscriptionPastDue: SubscriptionPastDueData;
  }
}

/** A payment of the tenant failed. */
@NotificationSchema('SubscriptionPastDue')
export class SubscriptionPastDueData {
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly plan!: Plan;
}
