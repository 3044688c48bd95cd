import type { Invoicing } from './invoicing';
import { DAY, endOfPeriod } from './billing-period';
import type { EventLog } from './event-log';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import type { CustomerRecord, SessionRecord, SubscriptionRecord } from './records';
import { StripeError } from './stripe-error';
import type { State } from './state';

/** Completes checkout sessions. */
export class Checkout {
  constructor(
    private readonly state: State,
    private readonly eventLog: EventLog,
    private readonly invoicing: Invoicing,
    private readonly lifecycle: SubscriptionLifecycle,
  ) {}

  /** The reason why the session cannot be paid, if there is one. */
  problemWith({ status, customer }: SessionRecord): string | undefined {
    if (status === 'complete') return 'You have already paid.';
    if (status === 'expired') return 'This checkout has expired. Start a new one from the application.';
    if (customer !== null && this.state.customers.get(customer)?.isDeleted) return 'This customer was deleted.';
    return undefined;
  }

  /** Pays with a good card. */
  pay(session: SessionRecord): void {
    const problem = this.problemWith(session);
    if (problem) throw new StripeError(problem);
    const at = this.state.seconds();
    const customer =
      session.customer === null ? this.newCustomerOf(session, at) : this.state.customers.get(session.customer)!;
    customer.card = 'good';
    const subscription = this.subscriptionOf(session, customer, at);
    const invoice = this.invoicing.invoice(subscription, at, 'subscription_create');
    this.invoicing.pay(invoice, at);
    this.eventLog.ofSubscription('created', subscription, at);
    this.invoicing.recordPaid(invoice, at);
    Object.assign(session, { status: 'complete', subscription: subscription.id, invoice: invoice.id });
    this.eventLog.ofSession('completed', session, at);
    this.lifecycle.scheduleNext(subscription, at);
  }

  decline(session: SessionRecord): void {
    const problem = this.problemWith(session);
    if (problem) throw new StripeError(problem);
  }

  /** The address to which the browser returns after paying. */
  returnAddress({ successUrl, id }: SessionRecord): string {
    return successUrl.replaceAll('{CHECKOUT_SESSION_ID}', id);
  }

  private newCustomerOf(session: SessionRecord, at: number): CustomerRecord {
    const customer = this.state.customers.add({
      id: this.state.random.id('cus', 14),
      created: at,
      email: session.customerEmail ?? 'customer@example.com',
      name: null,
      phone: null,
      description: null,
      metadata: {},
      card: null,
      isDeleted: false,
    });
    session.customer = customer.id;
    this.state.sessions.assign(session, customer.id);
    return customer;
  }

  private subscriptionOf(session: SessionRecord, customer: CustomerRecord, at: number): SubscriptionRecord {
    const { price, quantity, trialDays } = session;
    const trialEnd = session.trialEnd ?? (trialDays === null ? null : at + trialDays * DAY);
    return this.state.subscriptions.add({
      id: this.state.random.id('sub', 24),
      created: at,
      customer: customer.id,
      price,
      quantity,
      status: trialEnd === null ? 'active' : 'trialing',
      anchor: trialEnd ?? at,
      periodStart: at,
      periodEnd: trialEnd ?? endOfPeriod(at, at, this.state.priceOf(session)),
      trialStart: trialEnd === null ? null : at,
      trialEnd,
      isTrialEndAnnounced: false,
      cancelAt: null,
      isCancelAtPeriodEnd: false,
      canceledAt: null,
      endedAt: null,
      cancellationReason: null,
      pauseCollection: null,
      latestInvoice: null,
      metadata: session.subscriptionMetadata,
    });
  }
}
