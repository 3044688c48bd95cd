import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { ChangePreview } from '../../changes/domain/change-preview';
import type { PreviewLine } from '../../stripe/stripe-previews';
import { SubscriptionView } from './billing.views';

/** A line of an invoice that Stripe would write. */
export class PreviewLineView implements PreviewLine {
  @ApiProperty({ type: String, example: 'Remaining time on Pro' }) readonly description!: string;
  @ApiProperty({ type: 'integer', description: 'Negative: a credit' }) readonly amount!: number;
  @ApiProperty({ type: Boolean, description: 'For a part of a period' }) readonly isProration!: boolean;
}

/** What a change of plan costs, in the smallest unit of the currency. */
export class ChangePreviewView implements ChangePreview {
  @ApiProperty({ type: String, example: 'usd' }) readonly currency!: string;
  @ApiProperty({ type: 'integer', description: '0 for a later change' })
  readonly amountDueNow!: number;
  @ApiProperty({ type: 'integer', description: 'Of each period afterwards' })
  readonly nextAmount!: number;
  @ApiProperty({ type: String, format: 'date-time', description: 'When the plan changes' }) readonly at!: string;
  @ApiProperty({ type: [PreviewLineView], description: 'Of the invoice due now, else of the next one' })
  readonly lines!: readonly PreviewLineView[];
}

/** A change of plan, or its preview. */
@ApiExtraModels(ChangePreviewView)
export class PlanChangeView {
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(ChangePreviewView) }, { type: 'null' }],
    description: 'Only for `preview`',
  })
  readonly preview!: ChangePreviewView | null;
  @ApiProperty({ type: SubscriptionView, description: 'As Stripe has it now' })
  readonly subscription!: SubscriptionView;
}
