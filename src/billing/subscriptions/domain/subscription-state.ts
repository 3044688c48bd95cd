import { isLiveAtStripe, precedenceOf, type Outcome } from './fact-precedence';
import type { OpenInvoice } from './open-invoice';
import type { Settlement } from './settlement';
import { SubscriptionRecord } from './subscription-record';
import { isBilled, isIncomplete, isRunning, type Discount, type SubscriptionStatus } from './subscription-snapshot';

/** The changes of a subscription's state that several kinds of facts lead to. */
export abstract class SubscriptionState extends SubscriptionRecord {
  /** Whether the bound subscription is live at Stripe, regardless of an operator's override. */
  get isLiveAtStripe(): boolean {
    return isLiveAtStripe(this);
  }

  /** Whether a checkout would create a second subscription. */
  get isLive(): boolean {
    return this.isLiveAtStripe || (this.processorSubscriptionId !== null && this.status !== 'Canceled');
  }

  /** Whether no checkout may start. That of an incomplete one may be expired first. */
  get refusesCheckout(): boolean {
    return this.isLive && !isIncomplete(this.processorStatus);
  }

  /** Whether Stripe bills its seats. Those of a paused subscription stay until it is resumed. */
  get billsSeats(): boolean {
    return this.seats !== null && this.isLiveAtStripe && isBilled(this.processorStatus ?? '');
  }

  /**
   * Whether a payment failed, and Stripe serves the subscription again, but nothing that was due is
   * known to be paid: for example after a credit, while the invoice that failed is open.
   */
  get awaitsPayment(): boolean {
    const isServed = this.status !== 'PastDue' && isRunning(this.processorStatus);
    return this.pastDueNotified && isServed && this.openInvoiceId !== null && this.openInvoiceAt === null;
  }

  /**
   * The only place where the status follows Stripe's. Each notice is recorded once per transition.
   */
  protected setStatus(
    status: SubscriptionStatus,
    processorStatus: string | null,
    settlement: Settlement = 'nothing-due',
  ): void {
    // An incomplete subscription was never paid: that is no failed renewal.
    const isPastDue = status === 'PastDue' && processorStatus !== 'incomplete';
    const isServed = !isPastDue && isRunning(processorStatus);
    // A payment that fails after a pause at Stripe is a new failure; after an override it is not.
    const wasPaused = this.status === 'Paused' && this.processorStatus === 'paused';
    const isNew = !this.pastDueNotified || wasPaused || this.awaitsPayment;
    if (isPastDue && isNew) this.record({ kind: 'SubscriptionPastDue' });
    if (isServed && settlement === 'paid' && this.pastDueNotified) this.record({ kind: 'PaymentRecovered' });
    // Pausing does not pay what is due.
    const isKept = isServed ? settlement === 'awaited' : status === 'Paused';
    this.pastDueNotified = isPastDue || (this.pastDueNotified && isKept);
    if (isServed && !this.pastDueNotified) this.setOpenInvoice({ id: null, createdAt: null });
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
