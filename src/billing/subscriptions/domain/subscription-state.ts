import { isLiveAtStripe, precedenceOf, type Outcome } from './fact-precedence';
import type { OpenInvoice } from './open-invoice';
import { SubscriptionRecord } from './subscription-record';
import { isBilled, isRunning, type Discount, type SubscriptionStatus } from './subscription-snapshot';

/** The changes of a subscription's state that several kinds of facts lead to. */
export abstract class SubscriptionState extends SubscriptionRecord {
  /** Whether the bound subscription is live at Stripe, regardless of an operator's override. */
  get isLiveAtStripe(): boolean {
    return isLiveAtStripe(this);
  }

  /** Whether Stripe bills its seats. Those of a paused subscription stay until it is resumed. */
  get billsSeats(): boolean {
    return this.seats !== null && this.isLiveAtStripe && isBilled(this.processorStatus ?? '');
  }

  /**
   * The only place where the status follows Stripe's. Each notice is recorded once per transition.
   * @param isPaid whether what was overdue is paid if the subscription is served
   */
  protected setStatus(status: SubscriptionStatus, processorStatus: string | null, isPaid = false): void {
    // An incomplete subscription was never paid: that is no failed renewal.
    const isPastDue = status === 'PastDue' && processorStatus !== 'incomplete';
    const isServed = !isPastDue && isRunning(processorStatus);
    // A payment that fails after a pause at Stripe is a new failure; after an override it is not.
    const wasPaused = this.status === 'Paused' && this.processorStatus === 'paused';
    if (isPastDue && (!this.pastDueNotified || wasPaused)) this.record({ kind: 'SubscriptionPastDue' });
    if (isServed && isPaid && this.pastDueNotified) this.record({ kind: 'PaymentRecovered' });
    // Pausing does not pay what is due.
    this.pastDueNotified = isPastDue || (this.pastDueNotified && status === 'Paused' && !isServed);
    if (isServed) this.setOpenInvoice({ id: null, createdAt: null });
    this.status = status;
    this.processorStatus = processorStatus;
  }

  protected get openInvoice(): OpenInvoice {
    return { id: this.openInvoiceId, createdAt: this.openInvoiceAt };
  }

  protected setOpenInvoice({ id, createdAt }: OpenInvoice): void {
    this.openInvoiceId = id;
    this.openInvoiceAt = createdAt;
  }

  protected takeDiscount(discount: Discount | null): void {
    this.discount = discount?.text ?? null;
    this.discountPercent = discount?.percent ?? null;
    this.discountAmount = discount?.amount ?? null;
  }

  protected admit(subscriptionId: string, at: Date, createdAt: Date, isEnd = false, isReading = false): Outcome {
    const outcome = precedenceOf(this, { subscriptionId, at, createdAt, isEnd, isReading });
    if (outcome === 'applied') {
      this.asOf = at;
      this.asOfReading = isReading;
    }
    return outcome;
  }

  protected bind(subscriptionId: string, customerId: string, createdAt: Date): void {
    this.processorSubscriptionId = subscriptionId;
    this.processorCustomerId = customerId;
    this.subscriptionCreatedAt = createdAt;
  }
}
