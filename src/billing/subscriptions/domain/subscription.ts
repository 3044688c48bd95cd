import { Check, Entity, Index, Unique } from 'typeorm';
import { addSeconds, DAY } from '../../../platform/clock';
import { PLAN_CATALOGUE } from '../../catalogue/domain/plan-catalogue';
import { PAID_PLANS, type PaidPlan, type Plan } from '../../entitlements/domain/plan';
import type { BillingNotice } from './billing-notice';
import { isEarlierChange, type Outcome } from './fact-precedence';
import { leavesOpen, newestOf } from './open-invoice';
import { settlementOf } from './settlement';
import type { CheckoutFact, PaymentFact, SnapshotFact, StripeFact } from './stripe-fact';
import {
  choose,
  isOver,
  isRunning,
  localStatusOf,
  type SubscriptionSnapshot,
  type SubscriptionStatus,
} from './subscription-snapshot';
import { NO_TERMS, SubscriptionTerms } from './subscription-terms';

/** Until the first snapshot says it. */
const trialDaysOf = (plan: PaidPlan | null) => PLAN_CATALOGUE[plan ?? PAID_PLANS[0]].trial?.days ?? 0;

/** A snapshot with the circumstances in which it was received. */
interface ReceivedSnapshot extends Pick<SnapshotFact, 'snapshot' | 'previousStatus' | 'keepsEnd'> {
  readonly at: Date;
  readonly isReading: boolean;
}

/**
 * The copy of a tenant's Stripe subscription (docs/specification.md, Subscription). A tenant that
 * was never a Stripe customer has no row and is on Free.
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
export class Subscription extends SubscriptionTerms {
  /** The subscription of a tenant that becomes a Stripe customer. */
  static free(tenantId: string, now: Date): Subscription {
    const terms = { plan: 'Free', status: 'Active', currentPeriodEnd: null, cancelAtPeriodEnd: false };
    const trial = { trialEndsAt: null, hadTrial: false, notifiedTrialEnd: null };
    const stripe = { processorCustomerId: null, processorSubscriptionId: null, processorStatus: null };
    const times = { updatedAt: now, subscriptionCreatedAt: null, asOf: null, asOfReading: false };
    const invoice = { pastDueNotified: false, openInvoiceId: null, openInvoiceAt: null };
    const leases = { checkoutLeaseUntil: null, syncLeaseAt: null };
    const fields = { tenantId, ...terms, ...NO_TERMS, ...trial, ...stripe, ...times, ...invoice, ...leases };
    return Object.assign(new Subscription(), fields).trackChanges();
  }

  /** Whether it is bound to this Stripe subscription, which has ended. */
  hasEnded(subscriptionId: string): boolean {
    return subscriptionId === this.processorSubscriptionId && !this.isLiveAtStripe;
  }

  /**
   * The plan whose features the tenant has. PastDue keeps the plan, unless the first invoice was
   * never paid (docs/contract.md, Applying events).
   */
  get planInForce(): Plan {
    const wasNeverPaid = this.status === 'PastDue' && this.processorStatus === 'incomplete';
    return this.status === 'Canceled' || this.status === 'Paused' || wasNeverPaid ? 'Free' : this.plan;
  }

  /**
   * Applies a fact from a Stripe event, and records the notices for the Owner.
   * @param at Stripe timestamp of the event
   */
  apply(fact: StripeFact, at: Date): Outcome {
    switch (fact.kind) {
      case 'snapshot':
        return this.applySnapshot(fact, at);
      case 'checkout-completed':
        return this.completeCheckout(fact, at);
      case 'payment-failed':
        return this.failPayment(fact, at);
      case 'payment-succeeded':
        return this.recoverPayment(fact, at);
    }
  }

  /**
   * Whether the last applied change may be newer than a reading.
   * @param completeUntil every change until then is in the reading
   */
  mayBeNewerThan(completeUntil: Date): boolean {
    return this.asOf !== null && this.asOf > completeUntil;
  }

  /**
   * Applies everything that was read from Stripe for this tenant's customer: the bound subscription
   * first; if that is no longer live, the best of the others. Only for a reading that is known to
   * be newer than every applied change: it began after the last one, or `mayBeNewerThan` says so.
   * @param at when Stripe responded
   * @returns undefined if nothing was read
   */
  applyReading(snapshots: readonly SubscriptionSnapshot[], at: Date): Outcome | undefined {
    const follow = (snapshot: SubscriptionSnapshot) =>
      this.follow({ snapshot, at, previousStatus: null, keepsEnd: false, isReading: true });
    const bound = snapshots.find(({ subscriptionId }) => subscriptionId === this.processorSubscriptionId);
    const outcome = bound && follow(bound);
    const best = this.isLiveAtStripe ? undefined : choose(this.tenantId, snapshots);
    if (!best || best === bound) return outcome;
    const followed = follow(best);
    // A replaced subscription has not ended from the Owner's point of view.
    if (this.isLiveAtStripe) this.withdrawNotices((notice) => 'hasEnded' in notice && notice.hasEnded);
    return followed;
  }

  /**
   * Records the reminder that the trial ends, once per trial end. None is recorded if the
   * subscription is canceled and ends with the trial: the Owner was notified of that.
   */
  remindOfTrialEnd(now: Date): void {
    const endsAt = this.trialEndsAt;
    if (this.status !== 'Trialing' || this.cancelAtPeriodEnd || !endsAt || endsAt <= now) return;
    if (endsAt.getTime() === this.notifiedTrialEnd?.getTime()) return;
    this.notifiedTrialEnd = endsAt;
    this.record({ kind: 'TrialEnding', endsAt });
  }

  /** The notices that were sent and ask the Owner to act: a new Owner gets them, too. */
  openNotices(now: Date): BillingNotice[] {
    if (this.status === 'PastDue' && this.pastDueNotified) return [{ kind: 'SubscriptionPastDue' }];
    const [end, told] = [this.trialEndsAt, this.notifiedTrialEnd];
    const isTold = this.status === 'Trialing' && end && end > now && end.getTime() === told?.getTime();
    return isTold ? [{ kind: 'TrialEnding', endsAt: end }] : [];
  }

  /** Sets the time of the last visible change. It always increases: caches compare it. */
  touch(now: Date): void {
    this.updatedAt = now > this.updatedAt ? now : new Date(this.updatedAt.getTime() + 1);
  }

  /**
   * Stripe does not know the subscription. If an operator has already set it to Canceled, it counts
   * as ended, and another one may follow.
   * @returns whether anything has changed
   */
  markMissing(subscriptionId: string): boolean {
    if (this.status !== 'Canceled' || this.processorSubscriptionId !== subscriptionId || !this.isLiveAtStripe)
      return false;
    this.processorStatus = 'canceled';
    this.pastDueNotified = false;
    return true;
  }

  /**
   * Sets status and plan on an operator's request. The next change from Stripe wins
   * (docs/specification.md, States and transitions).
   */
  override(status: SubscriptionStatus, plan: Plan | undefined): void {
    this.status = status;
    this.plan = plan ?? this.plan;
  }

  private applySnapshot({ isTrialEnding, ...fact }: SnapshotFact, at: Date): Outcome {
    const outcome = this.follow({ ...fact, at, isReading: false });
    if (isTrialEnding && outcome === 'applied') this.remindOfTrialEnd(at);
    return outcome;
  }

  private follow(received: ReceivedSnapshot): Outcome {
    const { snapshot, at, isReading } = received;
    const status = localStatusOf(snapshot.status, snapshot.isCollectionPaused);
    if (!status) return 'unknown';
    const isBound = snapshot.subscriptionId === this.processorSubscriptionId;
    const isEnd = isOver(snapshot.status);
    if (isBound && at.getTime() === this.asOf?.getTime() && isEarlierChange(this, received)) return 'stale';
    const { subscriptionId, customerId, createdAt } = snapshot;
    if (this.hasEnded(subscriptionId) && customerId !== this.processorCustomerId) return 'other'; // it was replaced
    const outcome = this.admit(subscriptionId, at, createdAt, isEnd, isReading);
    if (outcome !== 'applied') return outcome;
    const wasServed = isBound && this.isLiveAtStripe && this.processorStatus !== 'incomplete';
    this.bind(subscriptionId, customerId, createdAt);
    // A declined invoice may leave the subscription active: then nothing was paid.
    const before = [this.processorStatus, received.previousStatus ?? this.processorStatus];
    const wasOverdue = !before.every(isRunning);
    const { openInvoiceId, awaitsPayment } = this;
    this.setStatus(status, snapshot.status, settlementOf(snapshot, { openInvoiceId, awaitsPayment, wasOverdue }));
    this.takeTerms(snapshot, !isBound);
    this.takeEnd(snapshot, isEnd, wasServed, at);
    const { latestInvoiceId } = snapshot;
    if (status === 'PastDue' && latestInvoiceId !== null && latestInvoiceId !== this.openInvoiceId)
      this.setOpenInvoice({ id: latestInvoiceId, createdAt: null });
    if (wasOverdue && this.pastDueNotified && isRunning(this.processorStatus))
      this.setOpenInvoice({ id: latestInvoiceId, createdAt: null });
    return outcome;
  }

  /**
   * A checkout adds nothing if its subscription is already known, or while its payment is
   * processing. Whether there is a trial is certain for a session of this service; for another one
   * the next snapshot says it, and no other checkout starts before it.
   */
  private completeCheckout(checkout: CheckoutFact, at: Date): Outcome {
    const { subscriptionId, customerId, plan, currency, isTrialing, trialDays, isPaid } = checkout;
    if (!isPaid) return 'stale';
    if (subscriptionId === this.processorSubscriptionId && this.processorStatus !== 'incomplete') return 'stale';
    const outcome = this.admit(subscriptionId, at, at);
    if (outcome !== 'applied') return outcome;
    this.bind(subscriptionId, customerId, at);
    this.setStatus(isTrialing ? 'Trialing' : 'Active', isTrialing ? 'trialing' : 'active');
    Object.assign(this, NO_TERMS, { currency });
    this.plan = plan ?? 'Free';
    this.trialEndsAt = isTrialing ? addSeconds(at, (trialDays ?? trialDaysOf(plan)) * DAY) : null;
    this.currentPeriodEnd = this.trialEndsAt;
    this.cancelAtPeriodEnd = false;
    return outcome;
  }

  /** The status at Stripe stays, because an event about an invoice does not say it. */
  private failPayment(payment: PaymentFact, at: Date): Outcome {
    const outcome = this.admitPayment(payment, at);
    const known = this.status === 'PastDue' ? this.openInvoice : { id: null, createdAt: null };
    if (outcome === 'applied') this.setOpenInvoice(newestOf(known, payment.invoice));
    if (outcome !== 'applied' || this.status === 'PastDue') return outcome;
    this.pastDueNotified = false;
    this.setStatus('PastDue', this.processorStatus);
    return outcome;
  }

  /**
   * A payment ends PastDue, unless a newer invoice is still open. It also tells the payment that
   * made Stripe serve the subscription again. An invoice on which nothing was due does neither.
   */
  private recoverPayment(payment: PaymentFact, at: Date): Outcome {
    const { invoice, isPaid, isRetry } = payment;
    const outcome = this.admitPayment(payment, at);
    if (outcome !== 'applied') return outcome;
    if (this.awaitsPayment && isPaid && (isRetry || invoice.id === this.openInvoiceId))
      this.setStatus(this.status, this.processorStatus, 'paid');
    if (this.status !== 'PastDue') return outcome;
    if (!isPaid || leavesOpen(this.openInvoice, invoice)) return 'stale';
    this.setStatus('Active', 'active', 'paid');
    return outcome;
  }

  /** An invoice of a subscription that is not bound says nothing about it. */
  private admitPayment({ subscriptionId }: PaymentFact, at: Date): Outcome {
    if (subscriptionId !== this.processorSubscriptionId || !this.isLiveAtStripe) return 'other';
    return this.admit(subscriptionId, at, at);
  }
}
