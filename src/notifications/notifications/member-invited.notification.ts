import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../domain/notification-data';

declare module '../domain/notification-data' {
  interface NotificationData {
    MemberInvited: MemberInvitedData;
  }
}

/** A member invited a user to the tenant. */
@NotificationSchema('MemberInvited')
export class MemberInvitedData {
  @ApiProperty({ type: String, format: 'uuid' }) readonly invitationId!: string;
  @ApiProperty() readonly email!: string;
  @ApiProperty() readonly role!: string;
}
