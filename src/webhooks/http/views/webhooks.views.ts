import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { DELIVERY_STATES, type DeliveryState } from '../../domain/webhook-delivery';
import type { DisabledReason } from '../../domain/signed-receiver';
import { NullableDisabledReason } from '../disabled-reason.decorator';

export class WebhookEndpointView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, example: 'https://example.com/hooks' }) readonly url!: string;
  @ApiProperty({ type: String, example: 'Data warehouse' }) readonly description!: string;
  @ApiProperty({
    anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }],
    description: 'The types of events that it gets; null: all',
    example: ['project.created'],
  })
  readonly types!: readonly string[] | null;
  @NullableInteger('How many events a second it gets at most on average; null: no limit of its own')
  readonly perSecond!: number | null;
  @ApiProperty({ type: String, description: 'Verifies the `v1a` signatures', example: 'whpk_MCowBQ…' })
  readonly publicKey!: string;
  @NullableTime('Until when messages are signed with the previous keys, too') readonly oldKeysUntil!: Date | null;
  @NullableTime('Since when it gets nothing') readonly disabledAt!: Date | null;
  @NullableDisabledReason('Why: you chose so, it answered 410, it failed for five days, or an operator disabled it')
  readonly disabledWhy!: DisabledReason | null;
  @NullableTime('The first failure since the last success') readonly failingSince!: Date | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

/** An endpoint with its secret, which is shown only here. */
export class WebhookEndpointWithSecretView extends WebhookEndpointView {
  @ApiProperty({ type: String, description: 'Verifies the `v1` signatures; shown once', example: 'whsec_C2FVsBQ…' })
  readonly secret!: string;
}

export class WebhookEventTypeView {
  @ApiProperty({ type: String, example: 'project.created' }) readonly type!: string;
  @ApiProperty({ type: String, example: 'A project was created' }) readonly summary!: string;
  @ApiProperty({ type: String, description: 'Name of the schema of its data', example: 'ProjectView' })
  readonly schema!: string;
}

export class WebhookEventTypesView {
  @ApiProperty({ type: [WebhookEventTypeView], description: 'The catalogue' })
  readonly types!: readonly WebhookEventTypeView[];
}

export class WebhookDeliveryView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'The header `webhook-id`' }) readonly messageId!: string;
  @ApiProperty({ type: String, example: 'project.created' }) readonly type!: string;
  @ApiProperty({ enum: DELIVERY_STATES, enumName: 'WebhookDeliveryState' }) readonly state!: DeliveryState;
  @ApiProperty({ type: 'integer', description: 'Attempts since it was created or replayed' }) readonly attempt!: number;
  @NullableTime('When the next attempt is due') readonly nextAt!: Date | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

export class WebhookAttemptView {
  @ApiProperty({ type: String, format: 'date-time' }) readonly at!: string;
  @ApiProperty({ type: 'integer', description: 'How long it took' }) readonly milliseconds!: number;
  @NullableInteger('Status of the answer; null if there was none') readonly status!: number | null;
  @NullableText({ description: 'Why it failed; null for a success' }) readonly error!: string | null;
  @ApiProperty({ type: String, description: 'The first 1 kB of the answer', example: 'ok' }) readonly response!: string;
}

/** A delivery with its message and its last attempts. */
export class WebhookDeliveryDetailView extends WebhookDeliveryView {
  @ApiProperty({ type: String, description: 'The body, exactly as it is sent', example: '{"type":"project.created"}' })
  readonly body!: string;
  @ApiProperty({ type: [WebhookAttemptView], description: 'The last 20 attempts', example: [] })
  readonly attempts!: readonly WebhookAttemptView[];
}
