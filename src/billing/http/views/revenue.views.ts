import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';
import { PLANS, type Plan } from '../../entitlements/domain/plan';

const Count = (description?: string) => ApiProperty({ type: 'integer', description });

/** Subscriptions of one plan and currency. Amounts are per month, in the smallest unit. */
export class RevenueLineView {
  @ApiProperty({ enum: PLANS, enumName: 'Plan', description: 'Free: a price of no plan' }) readonly plan!: Plan;
  @NullableText({ description: 'null: not known' }) readonly currency!: string | null;
  @Count() readonly active!: number;
  @Count() readonly pastDue!: number;
  @Count() readonly trialing!: number;
  @Count('Of these, without a known amount') readonly unpriced!: number;
  @Count('Of active and past due ones') readonly mrr!: number;
  @Count() readonly pastDueMrr!: number;
  @Count() readonly trialMrr!: number;
  @Count('On this day') readonly trialsStarted!: number;
  @Count('Trials that became paid') readonly conversions!: number;
  @Count('Canceled or paused') readonly churned!: number;
  @Count('Of these, without a known amount') readonly churnedUnpriced!: number;
  @Count() readonly churnedMrr!: number;
}

export class RevenueDayView {
  @ApiProperty({ type: String, format: 'date', description: 'Day in UTC' }) readonly day!: string;
  @NullableText({ format: 'date-time', description: 'null: only movements are known' })
  readonly recordedAt!: string | null;
  @ApiProperty({ type: [RevenueLineView], description: 'Without lines of zeros' })
  readonly lines!: readonly RevenueLineView[];
}

export class RevenueView {
  @ApiProperty({ type: RevenueDayView, description: 'As it is now' }) readonly today!: RevenueDayView;
  @ApiProperty({ type: [RevenueDayView], description: 'Earlier days, oldest first; missing ones were not recorded' })
  readonly days!: readonly RevenueDayView[];
}
