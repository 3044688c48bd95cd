import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../../notifications/notifications.api';

declare module '../../notifications/domain/notification-data' {
  interface NotificationData {
    WebhookDisabled: WebhookDisabledData;
  }
}

/** The service has disabled a webhook endpoint that failed. */
@NotificationSchema('WebhookDisabled')
export class WebhookDisabledData {
  @ApiProperty({ type: String, format: 'uuid' }) readonly endpointId!: string;
  @ApiProperty({ type: String, description: 'Host of its address', example: 'example.com' }) readonly host!: string;
}
