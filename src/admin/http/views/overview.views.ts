import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import {
  PLANS,
  SUBSCRIPTION_STATUSES,
  WEBHOOK_EVENT_STATUSES,
  type Plan,
  type SubscriptionStatus,
  type WebhookEventStatus,
} from '../../../billing/billing.api';
import { NullableTime } from '../../../http/validation/nullable.decorators';
import { JOB_STATES, type JobState } from '../../../platform/jobs/job-states';
import type { Posture } from '../../../platform/observability/security-posture';
import { LagView } from './webhook-event.views';

const moment = { type: String, format: 'date-time' };

export class UserCountsView {
  @ApiProperty(COUNT) readonly total!: number;
  @ApiProperty(COUNT) readonly unverified!: number;
  @ApiProperty(COUNT) readonly disabled!: number;
}

export class TenantCountView {
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly plan!: Plan;
  @ApiProperty({ enum: SUBSCRIPTION_STATUSES, enumName: 'SubscriptionStatus' }) readonly status!: SubscriptionStatus;
  @ApiProperty(COUNT) readonly tenants!: number;
}

const countOf = (names: readonly string[]) =>
  ApiProperty({
    type: 'object',
    selfRequired: true,
    required: [...names],
    properties: Object.fromEntries(names.map((name) => [name, COUNT])),
  });

/** A finished sync run: a comparison of all subscriptions with Stripe. */
export class SyncRunView {
  @ApiProperty(moment) readonly startedAt!: Date;
  @ApiProperty(moment) readonly finishedAt!: Date;
  @ApiProperty({ ...COUNT, description: 'Subscriptions compared' }) readonly seen!: number;
  @ApiProperty({ ...COUNT, description: 'Local copies that were corrected' })
  readonly corrected!: number;
  @ApiProperty({
    ...COUNT,
    description: 'Subscriptions without a tenant, or with an unknown price or status',
  })
  readonly unknown!: number;
  @ApiProperty({ type: [String], description: 'Prices at Stripe that belong to no plan', example: ['price_1SXk2p'] })
  readonly unknownPrices!: readonly string[];
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
  @ApiProperty({ type: Boolean, description: 'Whether admin access needs a second factor' })
  readonly adminSecondFactor!: boolean;
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
    description: 'Tenants by plan and status; combinations without any are omitted',
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
