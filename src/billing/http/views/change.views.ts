import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { ChangePreview } from '../../changes/domain/change-preview';
import type { PreviewLine } from '../../stripe/stripe-previews';
import { SubscriptionView } from './billing.views';

/** A line of an invoice that Stripe would create. */
export class PreviewLineView implements PreviewLine {
  @ApiProperty({ type: String, example: 'Remaining time on Pro' }) readonly description!: string;
  @ApiProperty({ type: 'integer', description: 'Amount; negative for a credit' }) readonly amount!: number;
  @ApiProperty({ type: Boolean, description: 'Whether the line is a proration' }) readonly isProration!: boolean;
}

/** The cost of a plan change, in the smallest unit of the currency. */
export class ChangePreviewView implements ChangePreview {
  @ApiProperty({ type: String, example: 'usd' }) readonly currency!: string;
  @ApiProperty({ type: 'integer', description: 'Due now; 0 for a change at the period end' })
  readonly amountDueNow!: number;
  @ApiProperty({ type: 'integer', description: 'Amount per period after the change' })
  readonly nextAmount!: number;
  @ApiProperty({ type: String, format: 'date-time', description: 'When the plan changes' }) readonly at!: string;
  @ApiProperty({ type: [PreviewLineView], description: 'Lines of the invoice due now, or of the next one' })
  readonly lines!: readonly PreviewLineView[];
}

/** A change of plan, or its preview. */
@ApiExtraModels(ChangePreviewView)
export class PlanChangeView {
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(ChangePreviewView) }, { type: 'null' }],
    description: 'Cost; only with `preview`',
  })
  readonly preview!: ChangePreviewView | null;
  @ApiProperty({ type: SubscriptionView, description: 'The subscription after the change' })
  readonly subscription!: SubscriptionView;
}
