import { Column, ForeignKey, PrimaryColumn } from 'typeorm';
import { Tenant } from '../../../tenants/tenants.api';
import type { BillingInterval } from '../../catalogue/domain/plan-catalogue';
import type { PaidPlan, Plan } from '../../entitlements/domain/plan';
import type { BillingNotice } from './billing-notice';
import type { SubscriptionStatus } from './subscription-snapshot';

/** The columns that callers can see. */
const VISIBLE = [
  'processorCustomerId',
  'processorSubscriptionId',
  'plan',
  'status',
  'currentPeriodEnd',
  'cancelAtPeriodEnd',
  'trialEndsAt',
  'interval',
  'currency',
  'seats',
  'discount',
  'pendingPlan',
  'pendingInterval',
  'pendingAt',
] as const satisfies readonly (keyof SubscriptionRecord)[];
/**
 * Internal columns. `asOf` is not among them: an unchanged state is not written
 * (docs/specification.md, States and transitions).
 */
const INTERNAL = [
  'processorStatus',
  'subscriptionCreatedAt',
  'hadTrial',
  'pastDueNotified',
  'openInvoiceId',
  'openInvoiceAt',
  'priceId',
  'discountPercent',
  'discountAmount',
  'notifiedTrialEnd',
] as const satisfies readonly (keyof SubscriptionRecord)[];

/**
 * The columns of a subscription, what has changed since it was loaded, and the recorded notices.
 */
export abstract class SubscriptionRecord {
  @ForeignKey(() => Tenant, { name: 'subscriptions_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'subscriptions_pkey' })
  readonly tenantId!: string;
  @Column('text', { nullable: true }) processorCustomerId!: string | null;
  @Column('text', { nullable: true }) processorSubscriptionId!: string | null;
  @Column('text') plan!: Plan;
  @Column('text') status!: SubscriptionStatus;
  @Column('timestamptz', { nullable: true }) currentPeriodEnd!: Date | null;
  @Column('boolean', { default: false }) cancelAtPeriodEnd!: boolean;
  @Column('timestamptz', { nullable: true }) trialEndsAt!: Date | null;
  /** The price at Stripe. */
  @Column('text', { nullable: true }) priceId!: string | null;
  /** Null on Free, and for another billing interval. */
  @Column('text', { name: 'billing_interval', nullable: true }) interval!: BillingInterval | null;
  /** ISO 4217 code in lower case. */
  @Column('text', { nullable: true }) currency!: string | null;
  /** The quantity at Stripe; null: the price bills no seats. */
  @Column('integer', { nullable: true }) seats!: number | null;
  /** For display: `20%` or `5.00 usd`. */
  @Column('text', { nullable: true }) discount!: string | null;
  /** What it takes off every invoice; null: an amount, nothing, or only off one invoice. */
  @Column('double precision', { nullable: true }) discountPercent!: number | null;
  /** In the smallest unit of the currency; null as above. */
  @Column('integer', { nullable: true }) discountAmount!: number | null;
  /** The plan after a planned change; null also if its price belongs to none. */
  @Column('text', { nullable: true }) pendingPlan!: PaidPlan | null;
  @Column('text', { nullable: true }) pendingInterval!: BillingInterval | null;
  /** When the planned change takes effect; null: there is none. */
  @Column('timestamptz', { nullable: true }) pendingAt!: Date | null;
  @Column('timestamptz') updatedAt!: Date;
  /** The status at Stripe. An operator's override does not change it. */
  @Column('text', { nullable: true }) processorStatus!: string | null;
  /** When the bound subscription was created at Stripe. */
  @Column('timestamptz', { nullable: true }) subscriptionCreatedAt!: Date | null;
  /**
   * Stripe timestamp of the last applied change; older events are ignored. Not written when a later
   * event changes nothing.
   */
  @Column('timestamptz', { nullable: true }) asOf!: Date | null;
  /** Whether `asOf` is the time of a reading: events of the same second may be older than it. */
  @Column('boolean', { default: false }) asOfReading!: boolean;
  /** Whether this tenant ever had a trial. There is no second one. */
  @Column('boolean', { default: false }) hadTrial!: boolean;
  /** Whether the Owner was notified of a failed payment, and not yet of the recovery. */
  @Column('boolean', { name: 'told_past_due', default: false }) pastDueNotified!: boolean;
  /** The newest unpaid invoice, if known. Paying an older one does not end PastDue. */
  @Column('text', { nullable: true }) openInvoiceId!: string | null;
  /** When that invoice was created; null also if only its id is known. */
  @Column('timestamptz', { nullable: true }) openInvoiceAt!: Date | null;
  /** The trial end of which the Owner was notified in advance. */
  @Column('timestamptz', { name: 'told_trial_end', nullable: true }) notifiedTrialEnd!: Date | null;
  /** Until when a request holds the right to prepare a checkout. */
  @Column('timestamptz', { name: 'preparing_until', nullable: true }) checkoutLeaseUntil!: Date | null;
  /** When an on-demand sync last started. */
  @Column('timestamptz', { name: 'asked_at', nullable: true }) syncLeaseAt!: Date | null;

  #loaded: Readonly<SubscriptionRecord> = this;
  #notices: BillingNotice[] = [];

  /** Marks the current state as the stored one. */
  trackChanges(): this {
    this.#loaded = { ...this };
    return this;
  }

  /** The state as it was loaded from the database. */
  get loaded(): Readonly<SubscriptionRecord> {
    return this.#loaded;
  }

  /** Whether a visible column has changed since the subscription was loaded. */
  get isVisiblyChanged(): boolean {
    return differ(VISIBLE, this, this.#loaded);
  }

  /** Whether there is anything to store. */
  get isChanged(): boolean {
    return this.differsFrom(this.#loaded);
  }

  /** Whether it follows another Stripe subscription than when it was loaded. */
  get isRebound(): boolean {
    return this.processorSubscriptionId !== this.#loaded.processorSubscriptionId;
  }

  /** Whether its state differs from another state of the same tenant's subscription. */
  differsFrom(other: Readonly<SubscriptionRecord>): boolean {
    return differ(VISIBLE, this, other) || differ(INTERNAL, this, other);
  }

  /** Returns to the loaded state and drops the recorded notices. */
  discardChanges(): void {
    Object.assign(this, this.#loaded);
    this.#notices = [];
  }

  /** The notices recorded so far. They are returned once. */
  pullNotices(): BillingNotice[] {
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }

  protected record(notice: BillingNotice): void {
    this.#notices.push(notice);
  }

  protected withdrawNotices(condition: (notice: BillingNotice) => boolean): void {
    this.#notices = this.#notices.filter((notice) => !condition(notice));
  }
}

type Column = keyof SubscriptionRecord;

function differ(columns: readonly Column[], one: Readonly<SubscriptionRecord>, other: Readonly<SubscriptionRecord>) {
  return columns.some((column) => valueOf(one[column]) !== valueOf(other[column]));
}

const valueOf = (value: unknown) => (value instanceof Date ? value.getTime() : value);
