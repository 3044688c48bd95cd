import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  PLANS,
  SUBSCRIPTION_STATUSES,
  WEBHOOK_EVENT_STATUSES,
  type Plan,
  type SubscriptionStatus,
  type WebhookEventStatus,
} from '../billing/billing.contract';
import { NullableText } from '../edge/fields';
import { JOB_STATES, type JobState } from '../platform/job-states';
import { PROVIDERS, UserView, type Provider } from '../users/users.contract';

const id = { type: String, format: 'uuid' };
const moment = { type: String, format: 'date-time' };

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
  @ApiProperty({ type: [AdminSessionView], description: 'The live ones, newest first, 100 at most' }) readonly sessions!: readonly AdminSessionView[];
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
  @NullableText({ description: "The processor's own word for the status, which an override leaves; null where nothing was subscribed to" })
  readonly processorStatus!: string | null;
  @NullableText() readonly processorCustomerId!: string | null;
  @NullableText() readonly processorSubscriptionId!: string | null;
  @ApiProperty({ type: 'integer' }) readonly memberCount!: number;
  @ApiProperty({ type: TenantOwnerView }) readonly owner!: TenantOwnerView;
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
  @ApiProperty({ type: 'object', additionalProperties: true }) readonly payload!: object;
}

/** Work that is to be done, is being done, or could not be done. */
export class JobView {
  @ApiProperty({ type: String, example: '42' }) readonly id!: string;
  @ApiProperty({ type: String, example: 'send-link-mail' }) readonly task!: string;
  @ApiProperty({ enum: JOB_STATES }) readonly state!: JobState;
  @ApiProperty({ type: 'integer', description: 'How often it was tried' }) readonly attempts!: number;
  @ApiProperty({ type: 'integer', description: 'After so many it is dead' }) readonly maxAttempts!: number;
  @NullableText({ description: 'What the last attempt failed with; it stays until another succeeds' }) readonly error!: string | null;
  @NullableText({ description: 'While a job with a key waits, another one with it replaces it' }) readonly key!: string | null;
  @ApiProperty({ ...moment, description: 'Not before' }) readonly runAt!: Date;
  @ApiProperty(moment) readonly createdAt!: Date;
  @NullableText({ format: 'date-time', description: 'Since when it is being worked' }) readonly startedAt!: Date | null;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The command; it never holds a secret' }) readonly command!: object;
  @NullableText({ description: 'X-Request-Id of the request that caused it' }) readonly requestId!: string | null;
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
  @ApiProperty({ type: 'integer', description: 'Those that were otherwise here, and are corrected: the drift' }) readonly corrected!: number;
  @ApiProperty({ type: 'integer', description: 'Those of no tenant here, or with a price or status that we do not know' }) readonly unknown!: number;
}

/** How things are, in numbers. */
@ApiExtraModels(SyncRunView)
export class OverviewView {
  @ApiProperty({ type: UserCountsView }) readonly users!: UserCountsView;
  @ApiProperty({ type: [TenantCountView], description: 'Plans and statuses that any tenant has' }) readonly tenants!: readonly TenantCountView[];
  @countOf(JOB_STATES) readonly jobs!: Record<JobState, number>;
  @countOf(WEBHOOK_EVENT_STATUSES) readonly webhookEvents!: Record<WebhookEventStatus, number>;
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(SyncRunView) }, { type: 'null' }],
    description: 'The last finished comparison with the processor; null before the first',
  })
  readonly lastSync!: SyncRunView | null;
}
