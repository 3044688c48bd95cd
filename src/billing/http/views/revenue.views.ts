import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';
import { PLANS, type Plan } from '../../entitlements/domain/plan';

const Count = (description?: string) => ApiProperty({ type: 'integer', description });

/** Subscriptions of one plan and currency. Amounts are per month, in the smallest unit. */
export class RevenueLineView {
  @ApiProperty({ enum: PLANS, enumName: 'Plan', description: 'Free for prices that belong to no plan' })
  readonly plan!: Plan;
  @NullableText({ description: 'Currency; null if unknown' }) readonly currency!: string | null;
  @Count() readonly active!: number;
  @Count() readonly pastDue!: number;
  @Count() readonly trialing!: number;
  @Count('Subscriptions with an unknown amount') readonly unpriced!: number;
  @Count('Of active and past due subscriptions') readonly mrr!: number;
  @Count() readonly pastDueMrr!: number;
  @Count() readonly trialMrr!: number;
  @Count('Trials started on this day') readonly trialsStarted!: number;
  @Count('Trials converted on this day') readonly conversions!: number;
  @Count('Canceled or paused on this day') readonly churned!: number;
  @Count('Churned with an unknown amount') readonly churnedUnpriced!: number;
  @Count() readonly churnedMrr!: number;
}

/** The subscriptions and revenue of one day. */
export class RevenueDayView {
  @ApiProperty({ type: String, format: 'date', description: 'Day in UTC' }) readonly day!: string;
  @NullableText({ format: 'date-time', description: 'Null if only movements are known' })
  readonly recordedAt!: string | null;
  @ApiProperty({ type: [RevenueLineView], description: 'Lines of only zeros are omitted' })
  readonly lines!: readonly RevenueLineView[];
}

/** The revenue of today and of the recorded days before. */
export class RevenueView {
  @ApiProperty({ type: RevenueDayView, description: 'Current figures' }) readonly today!: RevenueDayView;
  @ApiProperty({ type: [RevenueDayView], description: 'Recorded days, oldest first; other days are missing' })
  readonly days!: readonly RevenueDayView[];
}
