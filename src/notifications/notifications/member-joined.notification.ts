import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../domain/notification-data';

declare module '../domain/notification-data' {
  interface NotificationData {
    MemberJoined: MemberJoinedData;
  }
}

/** A user accepted an invitation to the tenant. */
@NotificationSchema('MemberJoined')
export class MemberJoinedData {
  @ApiProperty({ type: String, format: 'uuid' }) readonly userId!: string;
  @ApiProperty() readonly name!: string;
  @ApiProperty() readonly email!: string;
  @ApiProperty() readonly role!: string;
}
