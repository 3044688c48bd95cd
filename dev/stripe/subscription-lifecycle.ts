import type { Invoicing } from './invoicing';
import { DAY, endOfPeriod } from './billing-period';
import type { EventLog } from './event-log';
import type { SessionRecord, SubscriptionRecord } from './records';
import type { State } from './state';

type Step = 'cancel' | 'announce-trial-end' | 'resume-collection' | 'retry' | 'renew';

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
    const start = () => {
      Object.assign(subscription, {
        status: 'active',
        periodStart: at,
        periodEnd: endOfPeriod(subscription.anchor, at, this.state.priceOf(subscription)),
      });
      return this.invoicing.invoice(subscription, at, 'subscription_cycle');
    };
    if (subscription.pauseCollection) {
      const { pauseCollection } = subscription;
      this.eventLog.updated(subscription, at, () => this.invoicing.setAside(start(), pauseCollection));
    } else if (this.invoicing.isCardGood(subscription.customer)) {
      this.eventLog.updated(subscription, at, () => this.invoicing.pay(start(), at));
      this.invoicing.recordPaid(this.latestInvoiceOf(subscription)!, at);
    } else {
      this.eventLog.updated(subscription, at, () => {
        this.invoicing.fail(start(), at);
        subscription.status = 'past_due';
      });
    }
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
    this.eventLog.ofSubscription('deleted', subscription, at);
  }

  expireIfOpen(session: SessionRecord, at: number): void {
    if (session.status !== 'open') return;
    session.status = 'expired';
    this.eventLog.ofSession('expired', session, at);
  }

  latestInvoiceOf({ latestInvoice }: SubscriptionRecord) {
    return latestInvoice === null ? undefined : this.state.invoices.get(latestInvoice);
  }

  private step(subscription: SubscriptionRecord, at: number): void {
    const next = this.nextOf(subscription);
    if (!next || next.at > at) return; // outdated: a later change scheduled the next step
    switch (next.step) {
      case 'cancel':
        return this.cancel(subscription, at, 'cancellation_requested');
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
    if (status === 'paused') return next; // a paused subscription generates no invoices
    if (status === 'trialing' && !isTrialEndAnnounced) consider('announce-trial-end', trialEnd! - 3 * DAY);
    consider('resume-collection', pauseCollection?.resumesAt);
    if (status === 'past_due' && !pauseCollection) consider('retry', this.latestInvoiceOf(subscription)?.nextAttempt);
    consider('renew', periodEnd);
    return next;
  }
}
