import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../domain/notification-data';

declare module '../domain/notification-data' {
  interface NotificationData {
    InvitationReceived: InvitationReceivedData;
  }
}

/** The user was invited to a tenant. The emailed link accepts the invitation. */
@NotificationSchema('InvitationReceived')
export class InvitationReceivedData {
  @ApiProperty({ type: String, format: 'uuid' }) readonly invitationId!: string;
  @ApiProperty({ type: String, format: 'uuid' }) readonly tenantId!: string;
  @ApiProperty() readonly tenantName!: string;
  @ApiProperty() readonly role!: string;
}
