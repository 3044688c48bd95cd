import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';
import { PLANS, type Plan } from '../../entitlements/domain/plan';
import { LIMITS, type PlanLimits } from '../../entitlements/domain/plan-limits';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../../subscriptions/domain/subscription-snapshot';
import type { SubscriptionDetails } from '../../subscriptions/services/subscription-details';

/** A tenant's subscription (docs/specification.md, Subscription). */
export class SubscriptionView implements SubscriptionDetails {
  @ApiProperty({ type: String, format: 'uuid' }) readonly tenantId!: string;
  @NullableText({ description: 'The Stripe customer id; null before the first checkout' })
  readonly processorCustomerId!: string | null;
  @NullableText({ description: 'The Stripe subscription id; null on the Free plan' })
  readonly processorSubscriptionId!: string | null;
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly plan!: Plan;
  @ApiProperty({
    enum: SUBSCRIPTION_STATUSES,
    enumName: 'SubscriptionStatus',
    description: 'The plan remains available while PastDue; Canceled and Paused count as Free',
  })
  readonly status!: SubscriptionStatus;
  @NullableText({ format: 'date-time' }) readonly currentPeriodEnd!: string | null;
  @ApiProperty({ type: Boolean, description: 'Whether the subscription ends with the current period' })
  readonly cancelAtPeriodEnd!: boolean;
  @NullableText({ format: 'date-time', description: 'End of the trial; null if there is none' })
  readonly trialEndsAt!: string | null;
  @NullableText({
    format: 'date-time',
    description: 'Time of the last change; null if the tenant was never a Stripe customer',
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

/** A property for each of LIMITS. */
export class PlanLimitsView {}
for (const [name, { description, ...limits }] of Object.entries(LIMITS)) {
  const type: ApiPropertyOptions = Object.values(limits).includes(null)
    ? { anyOf: [{ type: 'integer' }, { type: 'null' }] }
    : { type: 'integer' };
  Reflect.defineMetadata('design:type', Object, PlanLimitsView.prototype, name); // the compiler does it for fields
  ApiProperty({ ...type, description })(PlanLimitsView.prototype, name);
}

/** A plan that a tenant can subscribe to. */
export class PlanView {
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly name!: Plan;
  @ApiProperty({ type: 'integer', description: "Days of free trial on a tenant's first paid subscription" })
  readonly trialDays!: number;
  @ApiProperty({ type: PlanLimitsView, description: 'What the plan allows' }) readonly limits!: PlanLimits;
  @ApiProperty({ type: Boolean, description: 'Whether a price for the plan is configured' })
  readonly available!: boolean;
}

export class CheckoutView {
  @ApiProperty({ type: String, format: 'uri', description: "Stripe's payment page; redirect the browser there" })
  readonly checkoutUrl!: string;
}

export class PortalView {
  @ApiProperty({
    type: String,
    format: 'uri',
    description: "Stripe's page to change, pause or cancel the subscription; redirect the browser there",
  })
  readonly portalUrl!: string;
}
