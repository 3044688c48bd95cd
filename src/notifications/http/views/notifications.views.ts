import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { VariesBy } from '../../../http/openapi/view-variants';
import { NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import type { NotificationData, NotificationKind } from '../../domain/notification-data';
import { notificationSchemas } from '../../services/notification-schemas';

@VariesBy('kind', { property: 'data', schemas: notificationSchemas })
export class NotificationView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @NullableText({
    format: 'uuid',
    description: 'Tenant of the notification; null: shown in every tenant',
  })
  readonly tenantId!: string | null;
  @ApiProperty({ type: String, description: 'Determines the fields of `data`' }) readonly kind!: NotificationKind;
  @ApiProperty({ type: Object }) readonly data!: NotificationData[NotificationKind];
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
  @NullableTime('Time at which it was read; null while unread')
  readonly readAt!: Date | null;
}

/** The number of unread notifications of one tenant. */
export class UnreadInTenantView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly tenantId!: string;
  @ApiProperty(COUNT) readonly count!: number;
}
