import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { Tenant } from '../../tenants/tenants.contract';

export const PLANS = ['Free', 'Pro', 'Business'] as const;
export type Plan = (typeof PLANS)[number];

export const SUBSCRIPTION_STATUSES = ['Active', 'Trialing', 'PastDue', 'Canceled', 'Paused'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Our mirror of a tenant's subscription at the processor (specification, Subscription). A tenant that never had one has no row, and is Free. */
@Entity('subscriptions')
@Unique('subscriptions_processor_customer_id_key', ['processorCustomerId'])
@Unique('subscriptions_processor_subscription_id_key', ['processorSubscriptionId'])
@Check('subscriptions_plan_check', `plan IN ('Free', 'Pro', 'Business')`)
@Check('subscriptions_status_check', `status IN ('Active', 'Trialing', 'PastDue', 'Canceled', 'Paused')`)
export class Subscription {
  @ForeignKey(() => Tenant, { name: 'subscriptions_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'subscriptions_pkey' })
  readonly tenantId!: string;
  @Column('text', { nullable: true }) readonly processorCustomerId!: string | null;
  @Column('text', { nullable: true }) readonly processorSubscriptionId!: string | null;
  @Column('text') readonly plan!: Plan;
  @Column('text') readonly status!: SubscriptionStatus;
  @Column('timestamptz', { nullable: true }) readonly currentPeriodEnd!: Date | null;
  @Column('boolean', { default: false }) readonly cancelAtPeriodEnd!: boolean;
  @Column('timestamptz', { nullable: true }) readonly trialEndsAt!: Date | null;
  @Column('timestamptz') readonly updatedAt!: Date;
}
