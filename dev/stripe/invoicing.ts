import { DAY } from './billing-period';
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

  /** Creates the invoice of the current period. Its amount is 0 during a trial. */
  invoice(subscription: SubscriptionRecord, at: number, reason: InvoiceRecord['reason']): InvoiceRecord {
    const { customer, price, quantity, status, metadata } = subscription;
    const invoice: InvoiceRecord = {
      id: this.state.random.id('in', 24),
      created: at,
      number: `LOCAL-${String(this.state.invoices.size + 1).padStart(4, '0')}`,
      customer,
      subscription: subscription.id,
      price,
      quantity,
      amount: status === 'trialing' ? 0 : this.state.priceOf(subscription).amount * quantity,
      reason,
      periodStart: subscription.periodStart,
      periodEnd: subscription.periodEnd,
      metadata,
      status: 'open',
      attempts: 0,
      nextAttempt: null,
      paidAt: null,
    };
    subscription.latestInvoice = invoice.id;
    return this.state.invoices.add(invoice);
  }

  isCardGood(customer: string): boolean {
    return this.state.customers.get(customer)?.card === 'good';
  }

  pay(invoice: InvoiceRecord, at: number): void {
    Object.assign(invoice, {
      status: 'paid',
      paidAt: at,
      nextAttempt: null,
      attempts: invoice.attempts + (invoice.amount > 0 ? 1 : 0),
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
