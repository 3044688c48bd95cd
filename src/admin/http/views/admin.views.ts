import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  PLANS,
  SUBSCRIPTION_STATUSES,
  WEBHOOK_EVENT_STATUSES,
  type Plan,
  type SubscriptionStatus,
  type WebhookEventStatus,
} from '../../../billing/billing.api';
import { NullableText } from '../../../http/validation/field.decorators';
import { JOB_STATES, type JobState } from '../../../platform/jobs/job-states';
import { PROVIDERS, UserView, type Provider } from '../../../users/users.api';
import type { Posture } from '../../../platform/observability/security-posture';

const id = { type: String, format: 'uuid' };
const moment = { type: String, format: 'date-time' };
const NullableSeconds = (description: string) =>
  ApiProperty({ description, anyOf: [{ type: 'number' }, { type: 'null' }] });

/** An account as operators see it in a list. */
export class AdminUserView extends UserView {
  @NullableText({ format: 'date-time', description: 'Since when it is closed' }) readonly disabledAt!: Date | null;
}

export class LinkedProviderView {
  @ApiProperty({ enum: PROVIDERS }) readonly provider!: Provider;
  @ApiProperty({ type: String, description: "The provider's own id of the person" }) readonly providerUserId!: string;
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
  @ApiProperty({ type: String, description: 'The name of the role' }) readonly role!: string;
  @ApiProperty(moment) readonly joinedAt!: Date;
}

/** All that operators see of an account. */
export class AdminUserDetailView extends AdminUserView {
  @ApiProperty({ type: Boolean, description: 'Whether a password is set' }) readonly hasPassword!: boolean;
  @ApiProperty({ type: [LinkedProviderView] }) readonly providers!: readonly LinkedProviderView[];
  @ApiProperty({ type: [AdminSessionView], description: 'The live ones, newest first, 100 at most' })
  readonly sessions!: readonly AdminSessionView[];
  @ApiProperty({ type: [AdminMembershipView], description: 'In the order of joining, 100 at most' })
  readonly memberships!: readonly AdminMembershipView[];
}

export class TenantOwnerView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty({ type: String, format: 'email' }) readonly email!: string;
  @ApiProperty({ type: String }) readonly name!: string;
}

/** A tenant as operators see it. */
export class AdminTenantView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty({ type: String }) readonly name!: string;
  @ApiProperty(moment) readonly createdAt!: Date;
  @ApiProperty({ enum: PLANS }) readonly plan!: Plan;
  @ApiProperty({ enum: SUBSCRIPTION_STATUSES }) readonly status!: SubscriptionStatus;
  @NullableText({
    description:
      "The processor's own word for the status, which an override leaves; null where nothing was subscribed to",
  })
  readonly processorStatus!: string | null;
  @NullableText() readonly processorCustomerId!: string | null;
  @NullableText() readonly processorSubscriptionId!: string | null;
  @ApiProperty({ type: 'integer' }) readonly memberCount!: number;
  @ApiProperty({ type: TenantOwnerView }) readonly owner!: TenantOwnerView;
}

/** The same with what there is to know of the subscription. */
export class AdminTenantDetailView extends AdminTenantView {
  @NullableText({ format: 'date-time' }) readonly currentPeriodEnd!: Date | null;
  @ApiProperty({ type: Boolean, description: 'It will end by itself' }) readonly cancelAtPeriodEnd!: boolean;
  @NullableText({ format: 'date-time', description: 'null when there is no trial' }) readonly trialEndsAt!: Date | null;
  @NullableText({ format: 'date-time', description: 'null for who never had to do with the processor' })
  readonly subscriptionUpdatedAt!: Date | null;
}

/** What an id stands for, in a word. */
export class NameView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty({ enum: ['user', 'tenant'] }) readonly kind!: 'user' | 'tenant';
  @ApiProperty({ type: String }) readonly name!: string;
  @NullableText({ format: 'email', description: 'null for a tenant' }) readonly email!: string | null;
}

/** An event of the processor, as it was delivered and what became of it. */
export class WebhookEventView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty({ type: String, description: "The processor's own id of it" }) readonly eventId!: string;
  @ApiProperty({ type: String }) readonly type!: string;
  @ApiProperty({ enum: WEBHOOK_EVENT_STATUSES }) readonly status!: WebhookEventStatus;
  @NullableText({ format: 'uuid' }) readonly tenantId!: string | null;
  @ApiProperty(moment) readonly createdAt!: Date;
  @ApiProperty(moment) readonly receivedAt!: Date;
  @ApiProperty({ type: 'integer' }) readonly attempts!: number;
  @NullableText() readonly error!: string | null;
}

/** With what the processor sent, which may be a megabyte: in no list. */
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

/** A comparison of all subscriptions with the processor's. */
export class SyncRunView {
  @ApiProperty(moment) readonly startedAt!: Date;
  @ApiProperty(moment) readonly finishedAt!: Date;
  @ApiProperty({ type: 'integer', description: 'Subscriptions that the processor told of' }) readonly seen!: number;
  @ApiProperty({ type: 'integer', description: 'Those that were otherwise here, and are corrected: the drift' })
  readonly corrected!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Those of no tenant here, or with a price or status that we do not know',
  })
  readonly unknown!: number;
}

/**
 * How long some events were on their way, from the processor's making to our receipt, by the two
 * sides' clocks.
 */
export class LagView {
  @ApiProperty({ type: 'integer', description: 'How many there were' }) readonly events!: number;
  @NullableSeconds('Half of them were here in so many seconds; null where there were none') readonly medianSeconds!:
    number | null;
  @NullableSeconds('95 % of them were here in so many seconds; null where there were none') readonly p95Seconds!:
    number | null;
}

/** The lag of the events that were received last. */
export class WebhookLagView extends LagView {
  @NullableText({ format: 'date-time' }) readonly lastReceivedAt!: Date | null;
}

/** How well the service is protected. */
export class PostureView implements Posture {
  @ApiProperty({ type: Boolean }) readonly production!: boolean;
  @ApiProperty({
    description: 'two: the role of the service owns no table; null: the database is away',
    anyOf: [{ type: 'string', enum: ['one', 'two'] }, { type: 'null' }],
  })
  readonly databaseRoles!: 'one' | 'two' | null;
  @ApiProperty({ anyOf: [{ type: 'boolean' }, { type: 'null' }] }) readonly bypassesRowLevelSecurity!: boolean | null;
  @ApiProperty({ type: Boolean, description: 'BASE_URL and FRONTEND_URL' }) readonly https!: boolean;
  @ApiProperty({ type: Boolean }) readonly secureCookies!: boolean;
  @ApiProperty({ type: String, example: 'false', description: 'As in TRUST_PROXY' }) readonly trustedProxies!: string;
  @ApiProperty({ type: Boolean }) readonly mailEncrypted!: boolean;
  @ApiProperty({ type: Boolean, description: 'Limits are counted over all instances together' })
  readonly sharedLimits!: boolean;
  @ApiProperty({ type: [String], description: 'The exceptions of ALLOW_INSECURE' })
  readonly exceptions!: readonly string[];
  @ApiProperty({ type: [String] }) readonly warnings!: readonly string[];
}

/** How things are, in numbers. */
@ApiExtraModels(SyncRunView)
export class OverviewView {
  @ApiProperty({ type: UserCountsView }) readonly users!: UserCountsView;
  @ApiProperty({ type: [TenantCountView], description: 'Plans and statuses that any tenant has' })
  readonly tenants!: readonly TenantCountView[];
  @countOf(JOB_STATES) readonly jobs!: Record<JobState, number>;
  @countOf(WEBHOOK_EVENT_STATUSES) readonly webhookEvents!: Record<WebhookEventStatus, number>;
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(SyncRunView) }, { type: 'null' }],
    description: 'The last finished comparison with the processor; null before the first',
  })
  readonly lastSync!: SyncRunView | null;
  @ApiProperty({ type: WebhookLagView, description: 'Of the 1,000 events that were received last' })
  readonly webhookLag!: WebhookLagView;
  @ApiProperty({ type: PostureView }) readonly security!: PostureView;
}
