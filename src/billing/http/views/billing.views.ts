import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';
import { BILLING_INTERVALS, type BillingInterval } from '../../catalogue/domain/plan-catalogue';
import { PLANS, type Plan } from '../../entitlements/domain/plan';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../../subscriptions/domain/subscription-snapshot';
import type { PendingChangeDetails, SubscriptionDetails } from '../../subscriptions/services/subscription-details';

/** A scheduled plan change. */
export class PendingChangeView implements PendingChangeDetails {
  @ApiProperty({ anyOf: [{ enum: [...PLANS], type: 'string' }, { type: 'null' }], example: 'Business' })
  readonly plan!: Plan | null;
  @ApiProperty({ anyOf: [{ enum: [...BILLING_INTERVALS], type: 'string' }, { type: 'null' }], example: 'year' })
  readonly interval!: BillingInterval | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly at!: string;
}

/** A tenant's subscription (docs/specification.md, Subscription). */
@ApiExtraModels(PendingChangeView)
export class SubscriptionView implements SubscriptionDetails {
  @ApiProperty({ type: String, format: 'uuid' }) readonly tenantId!: string;
  @NullableText({ description: 'Stripe customer id; null if there is none' })
  readonly processorCustomerId!: string | null;
  @NullableText({ description: 'Stripe subscription id; null on the Free plan' })
  readonly processorSubscriptionId!: string | null;
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly plan!: Plan;
  @ApiProperty({
    enum: SUBSCRIPTION_STATUSES,
    enumName: 'SubscriptionStatus',
    description: 'Of the subscription; GET /tenants/current/entitlements has the plan in force',
  })
  readonly status!: SubscriptionStatus;
  @NullableText({ format: 'date-time' }) readonly currentPeriodEnd!: string | null;
  @ApiProperty({ type: Boolean, description: 'Whether it ends with the current period' })
  readonly cancelAtPeriodEnd!: boolean;
  @NullableText({ format: 'date-time', description: 'End of the trial; null if there is none' })
  readonly trialEndsAt!: string | null;
  @ApiProperty({
    anyOf: [{ enum: [...BILLING_INTERVALS], type: 'string' }, { type: 'null' }],
    description: 'Billing interval; null on the Free plan',
  })
  readonly interval!: BillingInterval | null;
  @NullableText({ description: 'Currency; null on the Free plan' }) readonly currency!: string | null;
  @ApiProperty({
    anyOf: [{ type: 'integer' }, { type: 'null' }],
    description: 'Billed seats; null if the price has none',
  })
  readonly seats!: number | null;
  @NullableText({ description: 'Such as `20%` or `5.00 usd`; null if there is none' })
  readonly discount!: string | null;
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(PendingChangeView) }, { type: 'null' }],
    description: 'Scheduled change; null if there is none',
  })
  readonly pendingChange!: PendingChangeView | null;
  @NullableText({
    format: 'date-time',
    description: 'Time of the last change; null if never a Stripe customer',
  })
  readonly updatedAt!: string | null;
}

/**
 * The part of the subscription that every member may see; the rest requires tenant.billing.read.
 */
export class SubscriptionSummaryView {
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly plan!: Plan;
  @ApiProperty({ enum: SUBSCRIPTION_STATUSES, enumName: 'SubscriptionStatus' }) readonly status!: SubscriptionStatus;
}

/** The checkout that was started. */
export class CheckoutView {
  @ApiProperty({ type: String, format: 'uri', description: "Stripe's payment page; redirect the browser there" })
  readonly checkoutUrl!: string;
}

/** A session of Stripe's billing portal. */
export class PortalView {
  @ApiProperty({
    type: String,
    format: 'uri',
    description: "Stripe's billing portal; redirect the browser there",
  })
  readonly portalUrl!: string;
}
