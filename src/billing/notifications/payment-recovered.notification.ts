import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../../notifications/notifications.api';
import { PLANS, type Plan } from '../entitlements/domain/plan';

declare module '../../notifications/domain/notification-data' {
  interface NotificationData {
    PaymentRecovered: PaymentRecoveredData;
  }
}

/** A payment succeeded after one that failed. */
@NotificationSchema('PaymentRecovered')
export class PaymentRecoveredData {
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly plan!: Plan;
}
