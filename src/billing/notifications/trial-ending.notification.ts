import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../../notifications/notifications.api';
import { PLANS, type Plan } from '../entitlements/domain/plan';

declare module '../../notifications/domain/notification-data' {
  interface NotificationData {
    TrialEnding: TrialEndingData;
  }
}

/** The trial ends in three days. */
@NotificationSchema('TrialEnding')
export class TrialEndingData {
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly plan!: Plan;
  @ApiProperty({ type: String, format: 'date-time' }) readonly endsAt!: string;
}
