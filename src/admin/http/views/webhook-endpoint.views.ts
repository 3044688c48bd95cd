import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { NullableInteger, NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import {
  DELIVERY_STATES,
  NullableDisabledReason,
  type DeliveryState,
  type DisabledReason,
} from '../../../webhooks/webhooks.api';

const id = { type: String, format: 'uuid' };
const moment = { type: String, format: 'date-time' };

/** A tenant's webhook endpoint, of whose address operators see the host. */
export class AdminWebhookEndpointView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty(id) readonly tenantId!: string;
  @ApiProperty({ type: String, example: 'hooks.example.com' }) readonly host!: string;
  @ApiProperty({ type: String, example: 'Data warehouse' }) readonly description!: string;
  @ApiProperty({ ...COUNT, description: 'Failures since the last success' }) readonly failures!: number;
  @NullableTime('Time of the first failure since the last success') readonly failingSince!: Date | null;
  @NullableTime('Time at which it was disabled; null if enabled') readonly disabledAt!: Date | null;
  @NullableDisabledReason(
    'Reason: a member disabled it, it answered 410, it failed for five days, or an operator disabled it',
  )
  readonly disabledWhy!: DisabledReason | null;
  @ApiProperty({
    type: Boolean,
    description: 'Whether its last response was slow; then only one request is sent at a time',
  })
  readonly isSlow!: boolean;
  @ApiProperty(moment) readonly createdAt!: Date;
}

export class AdminWebhookEndpointDetailView extends AdminWebhookEndpointView {
  @ApiProperty({ ...COUNT, description: 'Number of deliveries that are due' }) readonly waiting!: number;
}

/** An attempt without the answer of the receiver. */
export class AdminWebhookAttemptView {
  @ApiProperty(moment) readonly at!: string;
  @ApiProperty({ ...COUNT, description: 'Duration of the attempt' }) readonly milliseconds!: number;
  @NullableInteger('HTTP status of the response; null if there was none') readonly status!: number | null;
  @NullableText({ description: 'Reason of the failure; null for a success' }) readonly error!: string | null;
}

/** A delivery to a webhook endpoint without its body. */
@ApiExtraModels(AdminWebhookAttemptView)
export class AdminWebhookDeliveryView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty(id) readonly tenantId!: string;
  @ApiProperty(id) readonly endpointId!: string;
  @ApiProperty({ ...id, description: 'The header `webhook-id`' }) readonly messageId!: string;
  @ApiProperty({ type: String, example: 'project.created' }) readonly type!: string;
  @ApiProperty({ enum: DELIVERY_STATES, enumName: 'WebhookDeliveryState' }) readonly state!: DeliveryState;
  @ApiProperty({ ...COUNT, description: 'Number of attempts since it was created or replayed' })
  readonly attempt!: number;
  @NullableTime('Time of the next attempt') readonly nextAt!: Date | null;
  @ApiProperty(moment) readonly createdAt!: Date;
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(AdminWebhookAttemptView) }, { type: 'null' }],
    description: 'Null before the first attempt',
    example: null,
  })
  readonly lastAttempt!: AdminWebhookAttemptView | null;
}
