import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  PLANS,
  SUBSCRIPTION_STATUSES,
  WEBHOOK_EVENT_STATUSES,
  type Plan,
  type SubscriptionStatus,
  type WebhookEventStatus,
} from '../../../billing/billing.api';
import { NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { JOB_STATES, type JobState } from '../../../platform/jobs/job-states';
import { PROVIDERS, UserView, type Provider } from '../../../users/users.api';
import type { Posture } from '../../../platform/observability/security-posture';

const id = { type: String, format: 'uuid' };
const moment = { type: String, format: 'date-time' };
const NullableSeconds = (description: string) =>
  ApiProperty({ description, anyOf: [{ type: 'number' }, { type: 'null' }] });

/** A user account in the list for operators. */
export class AdminUserView extends UserView {
  @NullableTime('Time at which the account was disabled; null if enabled')
  readonly disabledAt!: Date | null;
}

export class LinkedProviderView {
  @ApiProperty({ enum: PROVIDERS }) readonly provider!: Provider;
  @ApiProperty({ type: String, description: 'Id of the user at the provider' }) readonly providerUserId!: string;
  @ApiProperty(moment) readonly linkedAt!: Date;
}

export class AdminSessionView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty(moment) readonly createdAt!: Date;
  @ApiProperty(moment) readonly lastUsedAt!: Date;
  @NullableText() readonly ip!: string | null;
  @NullableText() readonly userAgent!: string | null;
}

export class AdminMembershipView {
  @ApiProperty(id) readonly tenantId!: string;
  @ApiProperty({ type: String }) readonly tenantName!: string;
  @ApiProperty({ type: String, description: 'Name of the role' }) readonly role!: string;
  @ApiProperty(moment) readonly joinedAt!: Date;
}

/** A user account with its sessions, providers and memberships. */
export class AdminUserDetailView extends AdminUserView {
  @ApiProperty({ type: Boolean, description: 'Whether a password is set' }) readonly hasPassword!: boolean;
  @ApiProperty({ type: [LinkedProviderView], description: 'Linked identities' })
  readonly providers!: readonly LinkedProviderView[];
  @ApiProperty({ type: [AdminSessionView], description: 'Active sessions, newest first; at most 100' })
  readonly sessions!: readonly AdminSessionView[];
  @ApiProperty({ type: [AdminMembershipView], description: 'Ordered by join date; at most 100' })
  readonly memberships!: readonly AdminMembershipView[];
}

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
  @ApiProperty({ enum: PLANS }) readonly plan!: Plan;
  @ApiProperty({ enum: SUBSCRIPTION_STATUSES }) readonly status!: SubscriptionStatus;
  @NullableText({
    description:
      'Subscription status at Stripe, which an override does not change; null if the tenant never had a subscription',
  })
  readonly processorStatus!: string | null;
  @NullableText() readonly processorCustomerId!: string | null;
  @NullableText() readonly processorSubscriptionId!: string | null;
  @ApiProperty({ type: 'integer' }) readonly memberCount!: number;
  @ApiProperty({ type: TenantOwnerView, description: 'The Owner of the tenant' }) readonly owner!: TenantOwnerView;
}

/** A tenant with the details of its subscription. */
export class AdminTenantDetailView extends AdminTenantView {
  @NullableTime() readonly currentPeriodEnd!: Date | null;
  @ApiProperty({ type: Boolean, description: 'Whether the subscription ends with the current period' })
  readonly cancelAtPeriodEnd!: boolean;
  @NullableTime('End of the trial; null if there is none')
  readonly trialEndsAt!: Date | null;
  @NullableTime('Time of the last change; null if the tenant was never a Stripe customer')
  readonly subscriptionUpdatedAt!: Date | null;
}

/** The name of a user or a tenant. */
export class NameView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty({ enum: ['user', 'tenant'] }) readonly kind!: 'user' | 'tenant';
  @ApiProperty({ type: String }) readonly name!: string;
  @NullableText({ format: 'email', description: 'Email of a user; null for a tenant' }) readonly email!: string | null;
}

/** A webhook event of Stripe with its processing status. */
export class WebhookEventView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty({ type: String, description: 'Stripe event ID' }) readonly eventId!: string;
  @ApiProperty({ type: String }) readonly type!: string;
  @ApiProperty({ enum: WEBHOOK_EVENT_STATUSES }) readonly status!: WebhookEventStatus;
  @NullableText({ format: 'uuid' }) readonly tenantId!: string | null;
  @ApiProperty(moment) readonly createdAt!: Date;
  @ApiProperty(moment) readonly receivedAt!: Date;
  @ApiProperty({ type: 'integer' }) readonly attempts!: number;
  @NullableText() readonly error!: string | null;
}

/** A webhook event with its payload, which can be a megabyte and is therefore in no list. */
export class WebhookEventDetailView extends WebhookEventView {
  @ApiProperty({ type: 'object', additionalProperties: true }) readonly payload!: object;
}

export class UserCountsView {
  @ApiProperty({ type: 'integer' }) readonly total!: number;
  @ApiProperty({ type: 'integer' }) readonly unverified!: number;
  @ApiProperty({ type: 'integer' }) readonly disabled!: number;
}

export class TenantCountView {
  @ApiProperty({ enum: PLANS }) readonly plan!: Plan;
  @ApiProperty({ enum: SUBSCRIPTION_STATUSES }) readonly status!: SubscriptionStatus;
  @ApiProperty({ type: 'integer' }) readonly tenants!: number;
}

const countOf = (names: readonly string[]) =>
  ApiProperty({
    type: 'object',
    selfRequired: true,
    required: [...names],
    properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
  });

/** A finished sync run: a comparison of all subscriptions with Stripe. */
export class SyncRunView {
  @ApiProperty(moment) readonly startedAt!: Date;
  @ApiProperty(moment) readonly finishedAt!: Date;
  @ApiProperty({ type: 'integer', description: 'Subscriptions compared' }) readonly seen!: number;
  @ApiProperty({ type: 'integer', description: 'Subscriptions whose local copy differed and was corrected' })
  readonly corrected!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Subscriptions without a tenant, or with an unknown price or status',
  })
  readonly unknown!: number;
}

/**
 * The delay of webhook events, from their creation at Stripe to their receipt, by the clocks of
 * both sides.
 */
export class LagView {
  @ApiProperty({ type: 'integer', description: 'Number of events' }) readonly events!: number;
  @NullableSeconds('Median lag in seconds; null without events') readonly medianSeconds!: number | null;
  @NullableSeconds('95th percentile of the lag in seconds; null without events') readonly p95Seconds!: number | null;
}

/** The lag of the latest events. */
export class WebhookLagView extends LagView {
  @NullableTime() readonly lastReceivedAt!: Date | null;
}

/** The security posture of the service. */
export class PostureView implements Posture {
  @ApiProperty({ type: Boolean }) readonly production!: boolean;
  @ApiProperty({
    description: 'two: the database role of the service owns no tables; null: the database is unavailable',
    anyOf: [{ type: 'string', enum: ['one', 'two'] }, { type: 'null' }],
  })
  readonly databaseRoles!: 'one' | 'two' | null;
  @ApiProperty({ anyOf: [{ type: 'boolean' }, { type: 'null' }] }) readonly bypassesRowLevelSecurity!: boolean | null;
  @ApiProperty({ type: Boolean, description: 'Whether BASE_URL and FRONTEND_URL use HTTPS' }) readonly https!: boolean;
  @ApiProperty({ type: Boolean }) readonly secureCookies!: boolean;
  @ApiProperty({ type: String, example: 'false', description: 'Value of TRUST_PROXY' })
  readonly trustedProxies!: string;
  @ApiProperty({ type: Boolean }) readonly mailEncrypted!: boolean;
  @ApiProperty({ type: Boolean, description: 'Whether rate limits are shared by all instances' })
  readonly sharedLimits!: boolean;
  @ApiProperty({ type: [String], description: 'Exceptions set in ALLOW_INSECURE' })
  readonly exceptions!: readonly string[];
  @ApiProperty({ type: [String] }) readonly warnings!: readonly string[];
}

/** Current statistics. */
@ApiExtraModels(SyncRunView)
export class OverviewView {
  @ApiProperty({ type: UserCountsView, description: 'Counts of accounts' }) readonly users!: UserCountsView;
  @ApiProperty({
    type: [TenantCountView],
    description: 'Number of tenants by plan and status; combinations without tenants are omitted',
  })
  readonly tenants!: readonly TenantCountView[];
  @countOf(JOB_STATES) readonly jobs!: Record<JobState, number>;
  @countOf(WEBHOOK_EVENT_STATUSES) readonly webhookEvents!: Record<WebhookEventStatus, number>;
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(SyncRunView) }, { type: 'null' }],
    description: 'Last finished sync run; null before the first',
  })
  readonly lastSync!: SyncRunView | null;
  @ApiProperty({ type: WebhookLagView, description: 'Lag of the latest 1,000 events' })
  readonly webhookLag!: WebhookLagView;
  @ApiProperty({ type: PostureView, description: 'The security posture' }) readonly security!: PostureView;
}
