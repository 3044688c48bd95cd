import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../../notifications/notifications.api';

declare module '../../notifications/domain/notification-data' {
  interface NotificationData {
    AuditStreamDisabled: AuditStreamDisabledData;
  }
}

/** The service has disabled an audit stream that failed, or an operator has. */
@NotificationSchema('AuditStreamDisabled')
export class AuditStreamDisabledData {
  @ApiProperty({ type: String, format: 'uuid' }) readonly streamId!: string;
  @ApiProperty({ type: String, description: 'Host of its address', example: 'example.com' }) readonly host!: string;
}
