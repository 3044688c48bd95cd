import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { WEBHOOK_EVENT_STATUSES, type WebhookEventStatus } from '../../../billing/billing.api';
import { NullableText } from '../../../http/validation/nullable.decorators';

const id = { type: String, format: 'uuid' };
const moment = { type: String, format: 'date-time' };
const NullableSeconds = (description: string) =>
  ApiProperty({ description, anyOf: [{ type: 'number' }, { type: 'null' }] });

/** A webhook event of Stripe with its processing status. */
export class WebhookEventView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty({ type: String, description: 'Stripe event ID' }) readonly eventId!: string;
  @ApiProperty({ type: String }) readonly type!: string;
  @ApiProperty({ enum: WEBHOOK_EVENT_STATUSES }) readonly status!: WebhookEventStatus;
  @NullableText({ format: 'uuid' }) readonly tenantId!: string | null;
  @ApiProperty(moment) readonly createdAt!: Date;
  @ApiProperty(moment) readonly receivedAt!: Date;
  @ApiProperty(COUNT) readonly attempts!: number;
  @NullableText() readonly error!: string | null;
}

/** A webhook event with its payload, which can be a megabyte and is therefore in no list. */
export class WebhookEventDetailView extends WebhookEventView {
  @ApiProperty({ type: 'object', additionalProperties: true }) readonly payload!: object;
}

/**
 * The delay of webhook events, from their creation at Stripe to their receipt, by the clocks of
 * both sides.
 */
export class LagView {
  @ApiProperty({ ...COUNT, description: 'Number of events' }) readonly events!: number;
  @NullableSeconds('Median lag in seconds; null without events') readonly medianSeconds!: number | null;
  @NullableSeconds('95th percentile of the lag in seconds; null without events') readonly p95Seconds!: number | null;
}
