import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { addSeconds, DAY } from '../../../platform/clock';
import { Tenant } from '../../../tenants/tenants.api';
import type { Notice } from './notice';
import { leavesOpen, newestOf, type Invoice, type OpenInvoice } from './open-invoice';
import { TRIAL_DAYS, type PaidPlan, type Plan } from '../../entitlements/domain/plan';
import {
  choose,
  isOver,
  localStatusOf,
  type SubscriptionSnapshot,
  type SubscriptionStatus,
} from './subscription-snapshot';

/**
 * What became of the processor's word. `stale`: something newer was known already. `other`: it is
 * about another subscription than the one that lives, or about one that is over. `unknown`: a
 * status that we do not know, which neither grants nor takes anything.
 */
export type Outcome = 'applied' | 'stale' | 'other' | 'unknown';

/** A completed checkout: the session names a subscription and says little of it. */
export interface CompletedCheckout {
  readonly subscriptionId: string;
  readonly customerId: string;
  /** Null: the session was not made by us. */
  readonly plan: PaidPlan | null;
  readonly isTrialing: boolean;
}

/**
 * Our mirror of a tenant's subscription at the processor (specification, Subscription). A tenant
 * that never had one has no row, and is Free.
 */
@Entity('subscriptions')
@Index('subscriptions_plan_status_tenant_id_idx', ['plan', 'status', 'tenantId'])
@Index('subscriptions_subscription_created_at_idx', ['subscriptionCreatedAt'], {
  where: 'subscription_created_at IS NOT NULL',
})
@Index('subscriptions_trial_ends_at_idx', ['trialEndsAt'], { where: `status = 'Trialing'` })
@Unique('subscriptions_processor_customer_id_key', ['processorCustomerId'])
@Unique('subscriptions_processor_subscription_id_key', ['processorSubscriptionId'])
@Check('subscriptions_plan_check', `plan IN ('Free', 'Pro', 'Business')`)
@Check('subscriptions_status_check', `status IN ('Active', 'Trialing', 'PastDue', 'Canceled', 'Paused')`)
export class Subscription {
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
  @Column('timestamptz') updatedAt!: Date;
  /**
   * The processor's own word for the status. An operator's override leaves it: it tells whether a
   * subscription lives over there.
   */
  @Column('text', { nullable: true }) processorStatus!: string | null;
  /** When the bound subscription was made, by the processor's clock. */
  @Column('timestamptz', { nullable: true }) subscriptionCreatedAt!: Date | null;
  /**
   * Of which moment this is, by the processor's clock: what is older changes nothing. What says the
   * same later is not written here.
   */
  @Column('timestamptz', { nullable: true }) asOf!: Date | null;
  /**
   * Whether that moment is one of a reading: an event of the same second may be older than it, and
   * then changes nothing.
   */
  @Column('boolean', { default: false }) asOfReading!: boolean;
  /** Whether this tenant ever had a trial: there is no second one. */
  @Column('boolean', { default: false }) hadTrial!: boolean;
  /** Whether the Owner was told that a payment failed, and not yet that all is well again. */
  @Column('boolean', { default: false }) toldPastDue!: boolean;
  /**
   * The newest invoice that was not paid, where it is known: paying an older one makes nothing
   * good.
   */
  @Column('text', { nullable: true }) openInvoiceId!: string | null;
  /** When it was made; null also where only its id is known. */
  @Column('timestamptz', { nullable: true }) openInvoiceAt!: Date | null;
  /** The end of a trial that the Owner was told of before it came. */
  @Column('timestamptz', { nullable: true }) toldTrialEnd!: Date | null;
  /** Until when somebody is preparing a checkout, so that two do not at once. */
  @Column('timestamptz', { nullable: true }) preparingUntil!: Date | null;
  /** When a person last had the processor asked. */
  @Column('timestamptz', { nullable: true }) askedAt!: Date | null;

  /** Whether a subscription lives at the processor, whatever an operator has set here. */
  get isLiveThere(): boolean {
    return this.processorSubscriptionId !== null && !isOver(this.processorStatus ?? '');
  }

  /** Whether this tenant has a subscription that a second one would double. */
  get isLive(): boolean {
    return this.isLiveThere || (this.processorSubscriptionId !== null && this.status !== 'Canceled');
  }

  /**
   * The plan whose features the tenant has: PastDue keeps it, what never was paid gives none
   * (contract section 5).
   */
  get planInForce(): Plan {
    const wasNeverPaid = this.status === 'PastDue' && this.processorStatus === 'incomplete';
    return this.status === 'Canceled' || this.status === 'Paused' || wasNeverPaid ? 'Free' : this.plan;
  }

  /**
   * Takes over the processor's state of a subscription as of a moment of its clock.
   * @param notices gets what the Owner is to be told
   * @param before the status that the processor says it had until then, where it says so: of two
   * changes within one second, which came in the wrong order, the earlier one is known by it
   */
  mirror(state: SubscriptionSnapshot, at: Date, notices: Notice[], before: string | null = null): Outcome {
    return this.follow(state, at, notices, before, false);
  }

  private follow(
    state: SubscriptionSnapshot,
    at: Date,
    notices: Notice[],
    before: string | null,
    isReading: boolean,
  ): Outcome {
    const status = localStatusOf(state.status, state.isCollectionPaused);
    if (!status) return 'unknown';
    const isBound = state.subscriptionId === this.processorSubscriptionId;
    const isOneOfTwo = isBound && at.getTime() === this.asOf?.getTime();
    if (isOneOfTwo && before !== null && before !== this.processorStatus && state.status !== this.processorStatus)
      return 'stale';
    const outcome = this.judge(state.subscriptionId, at, state.createdAt, isOver(state.status), isReading);
    if (outcome !== 'applied') return outcome;
    const wasServed = isBound && this.isLiveThere && this.processorStatus !== 'incomplete';
    const isNew = this.bind(state.subscriptionId, state.customerId, state.createdAt);
    this.become(status, state.status, notices);
    if (state.plan || isNew) {
      // a price that nobody knows takes nothing from who has a plan, and gives nothing to who has
      // none
      this.plan = state.plan ?? 'Free';
      this.currentPeriodEnd = state.currentPeriodEnd;
      this.trialEndsAt = state.trialEndsAt;
    }
    const isEnding = state.isEnding && !isOver(state.status);
    if (isEnding && !this.cancelAtPeriodEnd)
      notices.push({ kind: 'SubscriptionCanceled', endsAt: state.endsAt, hasEnded: false });
    if (isOver(state.status) && wasServed)
      notices.push({ kind: 'SubscriptionCanceled', endsAt: state.endedAt ?? at, hasEnded: true });
    if (status === 'PastDue' && state.latestInvoiceId !== null && state.latestInvoiceId !== this.openInvoiceId) {
      this.noteOpen({ id: state.latestInvoiceId, createdAt: null });
    }
    this.cancelAtPeriodEnd = isEnding;
    this.hadTrial ||= state.trialEndsAt !== null;
    return outcome;
  }

  /**
   * Takes over what was read of all that the processor has for this tenant's customer: the bound
   * one first; where it does not live any more, the best of the others. Of the second of the last
   * event, the reading wins only where that event was applied before it began.
   * @param isUntouched whether nothing has been applied since the reading began
   */
  mirrorAll(
    states: readonly SubscriptionSnapshot[],
    at: Date,
    notices: Notice[],
    isUntouched = false,
  ): Outcome | undefined {
    if (this.asOf && (at < this.asOf || (at.getTime() === this.asOf.getTime() && !isUntouched))) return 'stale';
    const bound = states.find(({ subscriptionId }) => subscriptionId === this.processorSubscriptionId);
    const outcome = bound && this.follow(bound, at, notices, null, true);
    const best = this.isLiveThere ? undefined : choose(this.tenantId, states);
    if (!best || best === bound) return outcome;
    const followed = this.follow(best, at, notices, null, true);
    if (this.isLiveThere)
      // it was replaced
      notices.splice(0, Infinity, ...notices.filter((notice) => !('hasEnded' in notice && notice.hasEnded)));
    return followed;
  }

  /** A checkout was completed. One whose subscription is known already says nothing new. */
  completeCheckout(
    { subscriptionId, customerId, plan, isTrialing }: CompletedCheckout,
    at: Date,
    notices: Notice[],
  ): Outcome {
    if (subscriptionId === this.processorSubscriptionId && this.processorStatus !== 'incomplete') return 'stale';
    const outcome = this.judge(subscriptionId, at, at, false);
    if (outcome !== 'applied') return outcome;
    this.bind(subscriptionId, customerId, at);
    this.become(isTrialing ? 'Trialing' : 'Active', isTrialing ? 'trialing' : 'active', notices);
    this.plan = plan ?? 'Free';
    this.trialEndsAt = isTrialing ? addSeconds(at, TRIAL_DAYS * DAY) : null;
    this.currentPeriodEnd = this.trialEndsAt;
    this.cancelAtPeriodEnd = false;
    this.hadTrial ||= isTrialing;
    return outcome;
  }

  /** A charge failed: the Owner hears of the first that does. */
  failPayment(subscriptionId: string, invoice: Invoice, at: Date, notices: Notice[]): Outcome {
    const outcome = this.judgeInvoice(subscriptionId, at);
    if (outcome === 'applied') this.noteOpen(newestOf(this.openInvoice, invoice));
    if (outcome !== 'applied' || this.status === 'PastDue') return outcome;
    this.toldPastDue = false;
    this.become('PastDue', this.processorStatus === 'incomplete' ? 'incomplete' : 'past_due', notices);
    return outcome;
  }

  /** A charge succeeded: it matters only to who was past due, and not while a newer one is open. */
  recoverPayment(subscriptionId: string, invoice: Invoice, at: Date, notices: Notice[]): Outcome {
    const outcome = this.judgeInvoice(subscriptionId, at);
    if (outcome !== 'applied' || this.status !== 'PastDue') return outcome;
    if (leavesOpen(this.openInvoice, invoice)) return 'stale';
    this.become('Active', 'active', notices);
    return outcome;
  }

  /**
   * The end of a trial is told once; not where its subscription ends with it, which was told when
   * that was planned.
   */
  tellTrialEnd(now: Date, notices: Notice[]): void {
    const endsAt = this.trialEndsAt;
    if (this.status !== 'Trialing' || this.cancelAtPeriodEnd || !endsAt || endsAt <= now) return;
    if (endsAt.getTime() === this.toldTrialEnd?.getTime()) return;
    this.toldTrialEnd = endsAt;
    notices.push({ kind: 'TrialEnding', endsAt });
  }

  /**
   * Something that people see has changed. Later than before, whatever the clock of this instance
   * says: what is remembered goes by it.
   */
  touch(now: Date): void {
    this.updatedAt = now > this.updatedAt ? now : new Date(this.updatedAt.getTime() + 1);
  }

  /**
   * The processor does not know the subscription; where an operator has said too that it is over,
   * it is, and another may follow.
   * @returns whether anything has changed
   */
  miss(subscriptionId: string): boolean {
    if (this.status !== 'Canceled' || this.processorSubscriptionId !== subscriptionId || !this.isLiveThere)
      return false;
    this.processorStatus = 'canceled';
    this.toldPastDue = false;
    return true;
  }

  /** An operator's word: it lasts until the processor's next (specification, States). */
  override(status: SubscriptionStatus, plan: Plan | undefined): void {
    this.status = status;
    this.plan = plan ?? this.plan;
  }

  /**
   * The one place where the status follows the processor's, and where it shows what the Owner is to
   * be told: each once per transition.
   */
  private become(status: SubscriptionStatus, processorStatus: string, notices: Notice[]): void {
    // whoever has not paid yet has not failed to go on paying
    const isPastDue = status === 'PastDue' && processorStatus !== 'incomplete';
    const isServed = processorStatus === 'active' || processorStatus === 'trialing';
    if (isPastDue && (!this.toldPastDue || this.status === 'Paused')) notices.push({ kind: 'SubscriptionPastDue' });
    if (isServed && this.toldPastDue) notices.push({ kind: 'PaymentRecovered' });
    // a pause makes nothing good
    this.toldPastDue = isPastDue || (this.toldPastDue && status === 'Paused' && !isServed);
    if (isServed) this.noteOpen({ id: null, createdAt: null });
    this.status = status;
    this.processorStatus = processorStatus;
  }

  private get openInvoice(): OpenInvoice {
    return { id: this.openInvoiceId, createdAt: this.openInvoiceAt };
  }

  private noteOpen({ id, createdAt }: OpenInvoice): void {
    this.openInvoiceId = id;
    this.openInvoiceAt = createdAt;
  }

  private judge(subscriptionId: string, at: Date, createdAt: Date, isOverThere: boolean, isReading = false): Outcome {
    if (this.asOf && at < this.asOf) return 'stale';
    const isOfReading = this.asOf?.getTime() === at.getTime() && this.asOfReading && !isReading;
    // before or after it, another reading will say; an end is one in any order
    if (isOfReading && !isOverThere) return 'stale';
    const isBound = subscriptionId === this.processorSubscriptionId;
    if (isBound && !this.isLiveThere && !isOverThere) return 'other'; // what was over stays so
    if (!isBound && this.isLiveThere) return 'other';
    const isOlder = this.subscriptionCreatedAt !== null && createdAt < this.subscriptionCreatedAt;
    if (!isBound && isOlder && isOverThere) return 'other'; // both are over: the newer one is what people remember
    this.asOf = at;
    this.asOfReading = isReading;
    return 'applied';
  }

  /** An invoice tells nothing about a subscription that is not known yet. */
  private judgeInvoice(subscriptionId: string, at: Date): Outcome {
    if (subscriptionId !== this.processorSubscriptionId || !this.isLiveThere) return 'other';
    return this.judge(subscriptionId, at, at, false);
  }

  /** @returns whether it was another one before */
  private bind(subscriptionId: string, customerId: string, createdAt: Date): boolean {
    const isNew = subscriptionId !== this.processorSubscriptionId;
    this.processorSubscriptionId = subscriptionId;
    this.processorCustomerId = customerId;
    this.subscriptionCreatedAt = createdAt;
    return isNew;
  }
}
