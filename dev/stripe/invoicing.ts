import { DAY } from './billing-period';
import { periodLine } from './invoice-lines';
import { termsOf } from './invoice-terms';
import { invoiceTotals } from './invoice-totals';
import type { EventLog } from './event-log';
import type { InvoiceRecord, SubscriptionRecord } from './records';
import type { State } from './state';

/**
 * Days between the attempts to collect a payment. After the last one the subscription is canceled.
 */
const RETRY_AFTER_DAYS = [3, 5, 7];

/** Creates invoices and collects their payments. */
export class Invoicing {
  constructor(
    private readonly state: State,
    private readonly eventLog: EventLog,
  ) {}

  /**
   * Creates an invoice: for the current period, for the prorations that wait, or both. What is less
   * than nothing becomes a credit of the customer, which the next invoices use.
   */
  invoice(
    subscription: SubscriptionRecord,
    at: number,
    reason: InvoiceRecord['reason'],
    { hasPeriod = true } = {},
  ): InvoiceRecord {
    const lines = [...subscription.prorations, ...(hasPeriod ? [periodLine(this.state, subscription)] : [])];
    const customer = this.state.customers.get(subscription.customer)!;
    const totals = invoiceTotals(lines, termsOf(this.state, subscription, at));
    const invoice: InvoiceRecord = {
      id: this.state.random.id('in', 24),
      created: at,
      number: `LOCAL-${String(this.state.invoices.size + 1).padStart(4, '0')}`,
      customer: customer.id,
      subscription: subscription.id,
      currency: subscription.currency,
      lines,
      ...totals,
      reason,
      metadata: subscription.metadata,
      status: 'open',
      attempts: 0,
      nextAttempt: null,
      paidAt: null,
    };
    customer.balance = invoice.endingBalance;
    this.endDiscounts(subscription, invoice, at);
    subscription.latestInvoice = invoice.id;
    if (subscription.prorations.length) subscription.prorations = [];
    return this.state.invoices.add(invoice);
  }

  /** Removes discounts that are over: those of an earlier time, and those for one payment. */
  private endDiscounts(subscription: SubscriptionRecord, { discounts }: InvoiceRecord, at: number): void {
    if (subscription.discounts.length === 0) return;
    subscription.discounts = subscription.discounts.filter((id) => {
      const { end, coupon } = this.state.discounts.get(id)!;
      const isUsed = discounts.some((used) => used.id === id && used.amount > 0);
      const isOnce = this.state.coupons.get(coupon)!.duration === 'once';
      return (end === null || at < end) && !(isOnce && isUsed);
    });
  }

  /** Whether a payment would succeed. Nothing to pay needs no card. */
  canPay({ amountDue, customer }: InvoiceRecord): boolean {
    return amountDue === 0 || this.isCardGood(customer);
  }

  isCardGood(customer: string): boolean {
    return this.state.customers.get(customer)?.card === 'good';
  }

  pay(invoice: InvoiceRecord, at: number): void {
    Object.assign(invoice, {
      status: 'paid',
      paidAt: at,
      nextAttempt: null,
      attempts: invoice.attempts + (invoice.amountDue > 0 ? 1 : 0),
    });
  }

  recordPaid(invoice: InvoiceRecord, at: number): void {
    this.eventLog.ofInvoice('paid', invoice, at);
    this.eventLog.ofInvoice('payment_succeeded', invoice, at);
  }

  /** Records a failed payment. @returns whether it was the last attempt */
  fail(invoice: InvoiceRecord, at: number): boolean {
    const days = RETRY_AFTER_DAYS.at(invoice.attempts);
    invoice.attempts += 1;
    invoice.nextAttempt = days === undefined ? null : at + days * DAY;
    this.eventLog.ofInvoice('payment_failed', invoice, at);
    return days === undefined;
  }

  /** Sets the status that an invoice gets while collection is paused. */
  setAside(invoice: InvoiceRecord, { behavior }: NonNullable<SubscriptionRecord['pauseCollection']>): void {
    invoice.status = ({ void: 'void', keep_as_draft: 'draft', mark_uncollectible: 'uncollectible' } as const)[behavior];
  }
}
