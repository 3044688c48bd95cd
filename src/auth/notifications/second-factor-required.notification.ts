import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../../notifications/notifications.api';

declare module '../../notifications/domain/notification-data' {
  interface NotificationData {
    SecondFactorRequired: SecondFactorRequiredData;
  }
}

/** A tenant of the user will ask for a second factor, and the account has none. */
@NotificationSchema('SecondFactorRequired')
export class SecondFactorRequiredData {
  @ApiProperty({ type: String }) readonly tenantName!: string;
  @ApiProperty({ type: String, format: 'date-time' }) readonly from!: string;
}
