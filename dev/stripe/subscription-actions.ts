import type { Invoicing } from './invoicing';
import type { EventLog } from './event-log';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import type { SubscriptionChange } from './subscription-change';
import type { Card, CustomerRecord, InvoiceRecord, SubscriptionRecord } from './records';
import { customerObject } from './customer-objects';
import { cardDeclined, StripeError } from './stripe-error';
import type { State } from './state';

/** Changes of subscriptions and customers, by the API and by customers on the pages. */
export class SubscriptionActions {
  constructor(
    private readonly state: State,
    private readonly eventLog: EventLog,
    private readonly invoicing: Invoicing,
    private readonly lifecycle: SubscriptionLifecycle,
  ) {}

  change(subscription: SubscriptionRecord, change: SubscriptionChange): void {
    this.refuseCanceled(subscription);
    const at = this.state.seconds();
    if (change.cancelAt !== undefined && subscription.schedule !== null)
      throw new StripeError(
        `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any ` +
          'cancelation behavior directly is not allowed. Please update the schedule instead.',
      );
    this.lifecycle.apply(subscription, change, at);
    this.lifecycle.scheduleNext(subscription, at);
  }

  /**
   * Like the portal: flexible billing sets a date, classic billing sets a flag. A schedule is
   * released.
   */
  cancelAtPeriodEnd(subscription: SubscriptionRecord): void {
    const schedule = this.state.schedules.get(subscription.schedule ?? '');
    if (schedule) this.lifecycle.releaseSchedule(schedule, subscription, this.state.seconds());
    this.change(subscription, { cancelAt: this.state.isBillingClassic ? 'period-end' : subscription.periodEnd });
  }

  cancelNow(subscription: SubscriptionRecord): void {
    this.refuseCanceled(subscription);
    this.lifecycle.cancel(subscription, this.state.seconds(), 'cancellation_requested');
  }

  endTrial(subscription: SubscriptionRecord): void {
    if (subscription.status !== 'trialing') return;
    const at = this.state.seconds();
    Object.assign(subscription, { trialEnd: at, anchor: at });
    this.lifecycle.renew(subscription, at);
    this.lifecycle.scheduleNext(subscription, at);
  }

  pause(subscription: SubscriptionRecord): void {
    this.refuseCanceled(subscription);
    if (subscription.status === 'paused') throw new StripeError('This subscription is already paused.');
    const at = this.state.seconds();
    this.lifecycle.pause(subscription, at);
    this.lifecycle.scheduleNext(subscription, at);
  }

  /**
   * Ends a pause. A period that was paid and is not over continues. Otherwise a new period starts
   * and is charged.
   * @param isPaidFirst whether it stays paused without a payment. This stand-in then creates no
   * invoice
   */
  unpause(subscription: SubscriptionRecord, isPaidFirst = false): void {
    if (subscription.status !== 'paused')
      throw new StripeError('This subscription is not paused, so it cannot be resumed.');
    if (isPaidFirst && !this.invoicing.isCardGood(subscription.customer)) return;
    const at = this.state.seconds();
    const isTrialLeft = subscription.trialEnd !== null && subscription.trialEnd > at;
    this.eventLog.updated(subscription, at, () => {
      subscription.status = 'active';
      if (isTrialLeft) subscription.trialEnd = at; // a pause ends the trial
      this.eventLog.ofSubscription('resumed', subscription, at);
    });
    if (isTrialLeft || subscription.periodEnd <= at) {
      subscription.anchor = at;
      this.lifecycle.renew(subscription, at);
    }
    this.lifecycle.scheduleNext(subscription, at);
  }

  /**
   * Undoes a pause, a pause of collection or a planned cancellation, whichever applies. The button
   * "Resume" of the portal.
   */
  resume(subscription: SubscriptionRecord): void {
    this.refuseCanceled(subscription);
    if (subscription.status === 'paused') this.unpause(subscription);
    else if (subscription.pauseCollection) this.change(subscription, { pauseCollection: null });
    else this.change(subscription, { cancelAt: null });
  }

  /** Sets the customer's card. With a good card, open invoices are paid at once. */
  useCard(customer: CustomerRecord, card: Card): void {
    customer.card = card;
    if (card !== 'good') return;
    const unpaid = this.state.subscriptions.of(customer.id).filter(({ status }) => status === 'past_due');
    for (const subscription of unpaid) this.lifecycle.retry(subscription, this.state.seconds());
  }

  payInvoice(invoice: InvoiceRecord): void {
    if (invoice.status === 'paid') throw new StripeError('Invoice is already paid', { code: 'invoice_already_paid' });
    const at = this.state.seconds();
    const subscription = this.state.subscriptions.get(invoice.subscription)!;
    const isLatest = subscription.status === 'past_due' && subscription.latestInvoice === invoice.id;
    const isGood = this.invoicing.isCardGood(invoice.customer);
    if (isLatest) this.lifecycle.retry(subscription, at);
    else if (isGood) {
      this.invoicing.pay(invoice, at);
      this.invoicing.recordPaid(invoice, at);
    }
    if (!isGood) throw cardDeclined();
  }

  deleteCustomer(customer: CustomerRecord): void {
    const at = this.state.seconds();
    for (const subscription of this.state.subscriptions.of(customer.id)) {
      if (subscription.status !== 'canceled') this.lifecycle.cancel(subscription, at, 'cancellation_requested');
    }
    const snapshot = customerObject(customer);
    customer.isDeleted = true;
    this.eventLog.append('customer.deleted', snapshot, customer.id, at);
  }

  private refuseCanceled({ status }: SubscriptionRecord): void {
    if (status === 'canceled')
      throw new StripeError('A canceled subscription can only update its cancellation_details and metadata.');
  }
}
