import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../../notifications/notifications.api';

declare module '../../notifications/domain/notification-data' {
  interface NotificationData {
    SecondFactorResetRequested: SecondFactorResetRequestedData;
  }
}

/** An operator asked to reset the second factor of the user, who can stop it. */
@NotificationSchema('SecondFactorResetRequested')
export class SecondFactorResetRequestedData {
  @ApiProperty({ type: String, format: 'date-time', description: 'Earliest time of the reset' })
  readonly dueAt!: string;
}
