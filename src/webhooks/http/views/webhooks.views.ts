import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { NullableInteger, NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { ALL_PERMISSIONS, type Permission } from '../../../platform/permissions';
import { DELIVERY_STATES, type DeliveryState } from '../../domain/webhook-delivery';
import type { DisabledReason } from '../../domain/signed-receiver';
import { NullableDisabledReason } from '../disabled-reason.decorator';

export class WebhookEndpointView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, example: 'https://example.com/hooks' }) readonly url!: string;
  @ApiProperty({ type: String, example: 'Data warehouse' }) readonly description!: string;
  @ApiProperty({
    anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }],
    description: 'Types of events that are sent; null: all',
    example: ['project.created'],
  })
  readonly types!: readonly string[] | null;
  @NullableInteger('Maximum number of events per second, on average; null: no limit')
  readonly perSecond!: number | null;
  @NullableTime('Time at which its receiver answered the challenge; null: it gets nothing else yet')
  readonly verifiedAt!: Date | null;
  @ApiProperty({ type: String, description: 'Public key for the `v1a` signatures', example: 'whpk_MCowBQ…' })
  readonly publicKey!: string;
  @NullableTime('Time until which messages are also signed with the previous keys') readonly oldKeysUntil!: Date | null;
  @NullableTime('Time at which it was disabled; null if enabled') readonly disabledAt!: Date | null;
  @NullableDisabledReason(
    'Reason: a member disabled it, it answered 410, it failed for five days, or an operator disabled it',
  )
  readonly disabledWhy!: DisabledReason | null;
  @NullableTime('Time of the first failure since the last success') readonly failingSince!: Date | null;
  @NullableText({ format: 'uuid', description: 'User who created it; null if unknown, or the account was deleted' })
  readonly createdBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

/** An endpoint with its secret, which is shown only here. */
export class WebhookEndpointWithSecretView extends WebhookEndpointView {
  @ApiProperty({
    type: String,
    description: 'Secret for the `v1` signatures; shown only once',
    example: 'whsec_C2FVsBQ…',
  })
  readonly secret!: string;
}

export class WebhookEventTypeView {
  @ApiProperty({ type: String, example: 'project.created' }) readonly type!: string;
  @ApiProperty({ type: String, example: 'A project was created' }) readonly summary!: string;
  @ApiProperty({ type: String, description: 'Name of the schema of its data', example: 'ProjectView' })
  readonly schema!: string;
  @ApiProperty({ enum: ALL_PERMISSIONS, enumName: 'Permission', description: 'Permission that it requires' })
  readonly permission!: Permission;
}

export class WebhookEventTypesView {
  @ApiProperty({ type: [WebhookEventTypeView], description: 'All types' })
  readonly types!: readonly WebhookEventTypeView[];
}

export class WebhookDeliveryView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'The header `webhook-id`' }) readonly messageId!: string;
  @ApiProperty({ type: String, example: 'project.created' }) readonly type!: string;
  @ApiProperty({ enum: DELIVERY_STATES, enumName: 'WebhookDeliveryState' }) readonly state!: DeliveryState;
  @ApiProperty({ ...COUNT, description: 'Number of attempts since it was created or replayed' })
  readonly attempt!: number;
  @NullableTime('Time of the next attempt') readonly nextAt!: Date | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

export class WebhookAttemptView {
  @ApiProperty({ type: String, format: 'date-time' }) readonly at!: string;
  @ApiProperty({ ...COUNT, description: 'Duration of the attempt' }) readonly milliseconds!: number;
  @NullableInteger('HTTP status of the response; null if there was none') readonly status!: number | null;
  @NullableText({ description: 'Reason of the failure; null for a success' }) readonly error!: string | null;
  @ApiProperty({ type: String, description: 'First 1 kB of the response', example: 'ok' }) readonly response!: string;
}

/** A delivery with its message and its last attempts. */
export class WebhookDeliveryDetailView extends WebhookDeliveryView {
  @ApiProperty({ type: String, description: 'The body, exactly as it is sent', example: '{"type":"project.created"}' })
  readonly body!: string;
  @ApiProperty({ type: [WebhookAttemptView], description: 'The last 20 attempts', example: [] })
  readonly attempts!: readonly WebhookAttemptView[];
}

/** The data of a message that tries an endpoint. */
export class WebhookTestView {
  @ApiProperty({ type: String, format: 'uuid', description: 'The endpoint that is tried' })
  readonly endpointId!: string;
}

/** The data of the message that a receiver must answer with the challenge. */
export class WebhookVerificationView {
  @ApiProperty({ type: String, format: 'uuid', description: 'The endpoint that is verified' })
  readonly endpointId!: string;
  @ApiProperty({ type: String, description: 'The body of the answer', example: 'pZ0m3nT1Yw…' })
  readonly challenge!: string;
}
