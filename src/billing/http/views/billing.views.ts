import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/field.decorators';
import { PLANS, type Plan } from '../../entitlements/domain/plan';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../../subscriptions/domain/subscription-snapshot';
import type { Subscription } from '../../subscriptions/domain/subscription';

/**
 * What a tenant is subscribed to (specification, Subscription). Times are texts already, so that it
 * can be kept in a cache as it is.
 */
export class SubscriptionView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly tenantId!: string;
  @NullableText({ description: "The tenant's id at the payment processor; null before the first checkout" })
  readonly processorCustomerId!: string | null;
  @NullableText({ description: 'null on the Free plan' }) readonly processorSubscriptionId!: string | null;
  @ApiProperty({ enum: PLANS }) readonly plan!: Plan;
  @ApiProperty({
    enum: SUBSCRIPTION_STATUSES,
    description: 'While PastDue the plan stays; Canceled and Paused count as Free',
  })
  readonly status!: SubscriptionStatus;
  @NullableText({ format: 'date-time' }) readonly currentPeriodEnd!: string | null;
  @ApiProperty({ type: Boolean, description: 'It will end by itself' }) readonly cancelAtPeriodEnd!: boolean;
  @NullableText({ format: 'date-time', description: 'null when there is no trial' }) readonly trialEndsAt!:
    string | null;
  @NullableText({ format: 'date-time', description: 'null for who never had to do with the processor' })
  readonly updatedAt!: string | null;

  /** @param subscription undefined: Free from the moment the tenant exists (contract section 5) */
  static of(tenantId: string, subscription: Subscription | undefined): SubscriptionView {
    return {
      tenantId,
      processorCustomerId: subscription?.processorCustomerId ?? null,
      processorSubscriptionId: subscription?.processorSubscriptionId ?? null,
      plan: subscription?.plan ?? 'Free',
      status: subscription?.status ?? 'Active',
      currentPeriodEnd: textOf(subscription?.currentPeriodEnd),
      cancelAtPeriodEnd: subscription?.cancelAtPeriodEnd ?? false,
      trialEndsAt: textOf(subscription?.trialEndsAt),
      updatedAt: textOf(subscription?.updatedAt),
    };
  }
}

/**
 * What every member sees of the tenant's subscription; the rest is for who holds
 * tenant.billing.read.
 */
export class SubscriptionSummaryView {
  @ApiProperty({ enum: PLANS }) readonly plan!: Plan;
  @ApiProperty({ enum: SUBSCRIPTION_STATUSES }) readonly status!: SubscriptionStatus;
}

const textOf = (moment: Date | null | undefined) => moment?.toISOString() ?? null;

export class PlanLimitsView {
  @ApiProperty({ anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'null: as many as one likes' })
  readonly projects!: number | null;
  @ApiProperty({ type: 'integer', description: 'Invitations that can be mailed in a day' })
  readonly invitationsPerDay!: number;
}

/** A plan that one can have. */
export class PlanView {
  @ApiProperty({ enum: PLANS }) readonly name!: Plan;
  @ApiProperty({ type: 'integer', description: "Days that a tenant's first paid subscription costs nothing" })
  readonly trialDays!: number;
  @ApiProperty({ type: PlanLimitsView }) readonly limits!: PlanLimitsView;
  @ApiProperty({ type: Boolean, description: 'Whether one can have it here: its price is set up' })
  readonly available!: boolean;
}

export class CheckoutView {
  @ApiProperty({
    type: String,
    format: 'uri',
    description: "The processor's page where one pays; send the browser there",
  })
  readonly checkoutUrl!: string;
}

export class PortalView {
  @ApiProperty({
    type: String,
    format: 'uri',
    description: "The processor's page where one changes, pauses or cancels; send the browser there",
  })
  readonly portalUrl!: string;
}
