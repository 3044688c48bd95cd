import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { SignInPolicyView } from '../../../auth/auth.api';
import { PLANS, SUBSCRIPTION_STATUSES, type Plan, type SubscriptionStatus } from '../../../billing/billing.api';
import { NullableText, NullableTime } from '../../../http/validation/nullable.decorators';

const id = { type: String, format: 'uuid' };
const moment = { type: String, format: 'date-time' };

export class TenantOwnerView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty({ type: String, format: 'email' }) readonly email!: string;
  @ApiProperty({ type: String }) readonly name!: string;
}

/** A tenant in the list for operators. */
export class AdminTenantView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty({ type: String }) readonly name!: string;
  @ApiProperty(moment) readonly createdAt!: Date;
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly plan!: Plan;
  @ApiProperty({ enum: SUBSCRIPTION_STATUSES, enumName: 'SubscriptionStatus' }) readonly status!: SubscriptionStatus;
  @NullableText({
    description: 'Status at Stripe, which an override does not change; null if the tenant never had a subscription',
  })
  readonly processorStatus!: string | null;
  @NullableText() readonly processorCustomerId!: string | null;
  @NullableText() readonly processorSubscriptionId!: string | null;
  @NullableTime('End of the entitlement override; null if there is none')
  readonly overrideEndsAt!: Date | null;
  @ApiProperty(COUNT) readonly memberCount!: number;
  @ApiProperty({ type: TenantOwnerView, description: 'The Owner of the tenant' }) readonly owner!: TenantOwnerView;
}

/** A tenant with the details of its subscription, and its sign-in policy. */
export class AdminTenantDetailView extends AdminTenantView {
  @NullableTime() readonly currentPeriodEnd!: Date | null;
  @ApiProperty({ type: Boolean, description: 'Whether it ends with the current period' })
  readonly cancelAtPeriodEnd!: boolean;
  @NullableTime('End of the trial; null if there is none')
  readonly trialEndsAt!: Date | null;
  @NullableTime('Time of the last change; null if never a Stripe customer')
  readonly subscriptionUpdatedAt!: Date | null;
  @ApiProperty({ type: SignInPolicyView, description: 'What the tenant requires of its members to sign in' })
  readonly signInPolicy!: SignInPolicyView;
}
