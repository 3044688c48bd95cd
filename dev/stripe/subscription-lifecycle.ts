import type { Invoicing } from './invoicing';
import { DAY, endOfPeriod } from './billing-period';
import { redeemed } from './discounts';
import type { EventLog } from './event-log';
import { plannedChange, type SubscriptionChange } from './subscription-change';
import type { InvoiceRecord, SchedulePhase, ScheduleRecord, SessionRecord, SubscriptionRecord } from './records';
import type { State } from './state';
import { cardDeclined } from './stripe-error';

type Step = 'cancel' | 'phase' | 'announce-trial-end' | 'resume-collection' | 'retry' | 'renew';

/** Advances subscriptions and checkout sessions as time passes. */
export class SubscriptionLifecycle {
  constructor(
    private readonly state: State,
    private readonly eventLog: EventLog,
    private readonly invoicing: Invoicing,
  ) {}

  /** Runs everything that is due, in order of time, each step with its own due time. */
  runDue(): void {
    const until = this.state.seconds();
    for (let due = this.state.scheduler.takeDue(until); due; due = this.state.scheduler.takeDue(until)) {
      if ('successUrl' in due.task) this.expireIfOpen(due.task, due.at);
      else this.step(due.task, due.at);
    }
    this.state.forgetOldEvents();
  }

  /**
   * Schedules the next step of a subscription. Call it after every change of a subscription.
   */
  scheduleNext(subscription: SubscriptionRecord, at: number): void {
    const next = this.nextOf(subscription);
    if (next) this.state.scheduler.schedule(Math.max(next.at, at), subscription);
  }

  /** Starts the next period and charges for it. */
  renew(subscription: SubscriptionRecord, at: number): void {
    this.charge(subscription, at, () => {
      Object.assign(subscription, {
        status: 'active',
        periodStart: at,
        periodEnd: endOfPeriod(subscription.anchor, at, this.state.priceOf(subscription)),
      });
      return this.invoicing.invoice(subscription, at, 'subscription_cycle');
    });
  }

  /** Makes a change, with the invoice that it asks for, and in the current phase of a schedule. */
  apply(subscription: SubscriptionRecord, change: SubscriptionChange, at: number): void {
    const { after, isInvoiced, isNewPeriod } = plannedChange(this.state, subscription, change, at);
    if (change.isRefusedUnpaid && isInvoiced && !this.invoicing.isCardGood(subscription.customer)) throw cardDeclined();
    const { promotions } = change;
    const make = () =>
      Object.assign(subscription, after, promotions && { discounts: redeemed(this.state, subscription, promotions) });
    if (!isInvoiced) this.eventLog.updated(subscription, at, make);
    else
      this.charge(subscription, at, () =>
        this.invoicing.invoice(make(), at, 'subscription_update', { hasPeriod: isNewPeriod }),
      );
    const { price, quantity } = subscription;
    const schedule = this.scheduleOf(subscription);
    if (schedule)
      schedule.phases = schedule.phases.with(schedule.phase, { ...schedule.phases[schedule.phase], price, quantity });
  }

  /** Makes a subscription as a phase of its schedule says; without a discount it loses its own. */
  enter(subscription: SubscriptionRecord, { discounts, ...phase }: SchedulePhase, at: number): void {
    const { price, quantity, proration } = phase;
    const trialEnd = phase.trialEnd === subscription.trialEnd ? undefined : (phase.trialEnd ?? undefined);
    const kept = subscription.discounts.filter((id) => discounts.includes(id));
    const isSame = price === subscription.price && quantity === subscription.quantity && trialEnd === undefined;
    if (isSame && kept.length === subscription.discounts.length) return;
    const promotions = kept.map((id) => this.state.discounts.get(id)!);
    this.apply(subscription, { price, quantity, proration, trialEnd, promotions }, at);
  }

  /** Ends a schedule. The subscription stays as it is. */
  releaseSchedule(schedule: ScheduleRecord, subscription: SubscriptionRecord, at: number): void {
    const released = { subscription: null, releasedSubscription: subscription.id };
    Object.assign(schedule, { ...released, status: 'released', releasedAt: at });
    this.eventLog.ofSchedule('released', schedule, at);
    this.eventLog.updated(subscription, at, () => (subscription.schedule = null));
  }

  /**
   * Makes a change that creates an invoice, and collects it. Without a payment the subscription is
   * past due; if the newest invoice is paid, it no longer is.
   */
  charge(subscription: SubscriptionRecord, at: number, change: () => InvoiceRecord): void {
    let paid: InvoiceRecord | undefined;
    this.eventLog.updated(subscription, at, () => {
      const invoice = change();
      const { pauseCollection } = subscription;
      if (pauseCollection) return this.invoicing.setAside(invoice, pauseCollection);
      if (this.invoicing.canPay(invoice)) {
        this.invoicing.pay(invoice, at);
        if (subscription.status === 'past_due') subscription.status = 'active';
        paid = invoice;
      } else {
        this.invoicing.fail(invoice, at);
        subscription.status = 'past_due';
      }
    });
    if (paid) this.invoicing.recordPaid(paid, at);
  }

  /** Tries again to collect an unpaid invoice. @returns whether it is paid */
  retry(subscription: SubscriptionRecord, at: number): boolean {
    const invoice = this.latestInvoiceOf(subscription)!;
    const isPaid = this.invoicing.isCardGood(subscription.customer);
    if (isPaid) {
      this.eventLog.updated(subscription, at, () => {
        this.invoicing.pay(invoice, at);
        this.invoicing.recordPaid(invoice, at);
        subscription.status = 'active';
      });
    } else if (this.invoicing.fail(invoice, at)) {
      this.cancel(subscription, at, 'payment_failed');
    }
    this.scheduleNext(subscription, at);
    return isPaid;
  }

  /** The status becomes `paused`: there are no invoices until it is resumed. */
  pause(subscription: SubscriptionRecord, at: number): void {
    this.eventLog.updated(subscription, at, () => {
      subscription.status = 'paused';
      this.eventLog.ofSubscription('paused', subscription, at);
    });
  }

  cancel(
    subscription: SubscriptionRecord,
    at: number,
    reason: NonNullable<SubscriptionRecord['cancellationReason']>,
  ): void {
    subscription.status = 'canceled';
    subscription.canceledAt ??= at;
    subscription.endedAt = at;
    subscription.cancellationReason ??= reason;
    subscription.pauseCollection = null;
    const invoice = this.latestInvoiceOf(subscription);
    if (invoice) invoice.nextAttempt = null;
    const schedule = this.scheduleOf(subscription);
    if (schedule) this.endSchedule(schedule, at);
    this.eventLog.ofSubscription('deleted', subscription, at);
  }

  expireIfOpen(session: SessionRecord, at: number): void {
    if (session.status !== 'open') return;
    session.status = 'expired';
    this.eventLog.ofSession('expired', session, at);
    const unpaid = this.state.subscriptions.get(session.subscription ?? '');
    if (unpaid?.status !== 'incomplete') return;
    this.eventLog.updated(unpaid, at, () => (unpaid.status = 'incomplete_expired'));
  }

  latestInvoiceOf({ latestInvoice }: SubscriptionRecord) {
    return latestInvoice === null ? undefined : this.state.invoices.get(latestInvoice);
  }

  /** Whether a trial ends without a card, for a checkout that did not need one. */
  private endsWithoutCard({ status, missingPaymentMethod, customer }: SubscriptionRecord): boolean {
    const isWithout = this.state.customers.get(customer)?.card === null;
    return status === 'trialing' && isWithout && missingPaymentMethod !== 'create_invoice';
  }

  private endTrialWithoutCard(subscription: SubscriptionRecord, at: number): void {
    if (subscription.missingPaymentMethod === 'cancel') return this.cancel(subscription, at, 'payment_failed');
    this.pause(subscription, at);
    this.scheduleNext(subscription, at);
  }

  private scheduleOf({ schedule }: SubscriptionRecord): ScheduleRecord | undefined {
    return schedule === null ? undefined : this.state.schedules.get(schedule);
  }

  /** A schedule ends with its subscription: as planned after its last phase, or before. */
  private endSchedule(schedule: ScheduleRecord, at: number): void {
    const isPlanned = schedule.endBehavior === 'cancel' && at >= schedule.phases.at(-1)!.end;
    Object.assign(
      schedule,
      isPlanned ? { status: 'completed', completedAt: at } : { status: 'canceled', canceledAt: at },
    );
    this.eventLog.ofSchedule(isPlanned ? 'completed' : 'canceled', schedule, at);
  }

  /** Starts the next phase of a schedule, or ends the schedule after its last one. */
  private advancePhase(subscription: SubscriptionRecord, at: number): void {
    const schedule = this.scheduleOf(subscription)!;
    const next = schedule.phases.at(schedule.phase + 1);
    if (next) {
      schedule.phase += 1;
      this.enter(subscription, next, at);
      this.eventLog.ofSchedule('updated', schedule, at);
    } else if (schedule.endBehavior === 'cancel') this.cancel(subscription, at, 'cancellation_requested');
    else this.releaseSchedule(schedule, subscription, at);
  }

  private step(subscription: SubscriptionRecord, at: number): void {
    const next = this.nextOf(subscription);
    if (!next || next.at > at) return; // outdated: a later change scheduled the next step
    switch (next.step) {
      case 'cancel':
        return this.cancel(subscription, at, 'cancellation_requested');
      case 'phase':
        this.advancePhase(subscription, at);
        break;
      case 'announce-trial-end':
        subscription.isTrialEndAnnounced = true;
        this.eventLog.ofSubscription('trial_will_end', subscription, at);
        break;
      case 'resume-collection':
        this.eventLog.updated(subscription, at, () => (subscription.pauseCollection = null));
        break;
      case 'retry': {
        this.retry(subscription, at);
        return;
      }
      case 'renew':
        if (this.endsWithoutCard(subscription)) return this.endTrialWithoutCard(subscription, at);
        this.renew(subscription, at);
    }
    this.scheduleNext(subscription, at);
  }

  /**
   * The next step of a subscription if nothing changes it. Of two steps at the same time, the one
   * considered first.
   */
  private nextOf(subscription: SubscriptionRecord): { step: Step; at: number } | undefined {
    const { status, cancelAt, trialEnd, isTrialEndAnnounced, pauseCollection, periodEnd } = subscription;
    let next: { step: Step; at: number } | undefined;
    const consider = (step: Step, at: number | null | undefined) => {
      if (at != null && (!next || at < next.at)) next = { step, at };
    };
    if (status === 'canceled') return undefined;
    consider('cancel', cancelAt);
    const schedule = this.scheduleOf(subscription);
    consider('phase', schedule?.phases[schedule.phase].end);
    if (status === 'paused') return next; // a paused subscription generates no invoices
    if (status === 'trialing' && !isTrialEndAnnounced) consider('announce-trial-end', trialEnd! - 3 * DAY);
    consider('resume-collection', pauseCollection?.resumesAt);
    if (status === 'past_due' && !pauseCollection) consider('retry', this.latestInvoiceOf(subscription)?.nextAttempt);
    consider('renew', periodEnd);
    return next;
  }
}
