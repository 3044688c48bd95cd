import type { Invoicing } from './invoicing';
import { DAY, endOfPeriod } from './billing-period';
import { promotionOfCode, redeem } from './discounts';
import type { EventLog } from './event-log';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import { newCustomer, newSubscription } from './record-defaults';
import type { Card, CustomerRecord, SessionRecord, SubscriptionRecord } from './records';
import { amountFor } from './price-amounts';
import { StripeError } from './stripe-error';
import type { State } from './state';

/** What a customer enters in a checkout. */
export type CustomerDetails = Partial<Pick<CustomerRecord, 'address' | 'taxIds'>>;

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

  /**
   * Pays, or starts a trial.
   * @param card null: without one, if the session allows it. A declining card is good for a trial
   */
  pay(session: SessionRecord, card: Card | null = 'good', details: CustomerDetails = {}): void {
    const problem = this.problemWith(session);
    if (problem) throw new StripeError(problem);
    if (card === null && !this.needsNoCard(session)) throw new StripeError('This checkout needs a card.');
    if (card === 'declining' && !hasTrial(session)) throw new StripeError('Your card was declined.');
    const at = this.state.seconds();
    const customer =
      session.customer === null ? this.newCustomerOf(session, at) : this.state.customers.get(session.customer)!;
    customer.card = card ?? customer.card;
    if (details.address) customer.address = details.address;
    if (details.taxIds && session.collectsTaxId) customer.taxIds = details.taxIds;
    const subscription = this.subscriptionOf(session, customer, at);
    const invoice = this.invoicing.invoice(subscription, at, 'subscription_create');
    this.invoicing.pay(invoice, at);
    this.eventLog.ofSubscription('created', subscription, at);
    this.invoicing.recordPaid(invoice, at);
    Object.assign(session, { status: 'complete', subscription: subscription.id, invoice: invoice.id });
    this.eventLog.ofSession('completed', session, at);
    this.lifecycle.scheduleNext(subscription, at);
  }

  /**
   * The first payment fails after the subscription was created, as in accounts with an API version
   * before 2025-03-31. The session stays open.
   */
  leaveIncomplete(session: SessionRecord): void {
    const problem = this.problemWith(session);
    if (problem) throw new StripeError(problem);
    const at = this.state.seconds();
    const subscription = this.subscriptionOf(session, this.state.customers.get(session.customer!)!, at);
    subscription.status = 'incomplete';
    session.subscription = subscription.id;
    this.eventLog.ofSubscription('created', subscription, at);
  }

  /** Applies the code that a customer entered. An empty one removes the discount. */
  applyCode(session: SessionRecord, code: string): void {
    const problem = this.problemWith(session);
    if (problem) throw new StripeError(problem);
    if (!session.allowsPromotionCodes) throw new StripeError('This checkout takes no promotion codes.');
    const amount = amountFor(this.state.priceOf(session), session.quantity, session.currency);
    session.promotion = code.trim() === '' ? null : promotionOfCode(this.state, code, { ...session, amount });
  }

  /** Whether the customer can start without a card. */
  needsNoCard(session: SessionRecord): boolean {
    return !session.isCardAlwaysCollected && hasTrial(session);
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
    const email = session.customerEmail ?? 'customer@example.com';
    const customer = newCustomer({ id: this.state.random.id('cus', 14), created: at, email });
    this.state.customers.add(customer);
    session.customer = customer.id;
    this.state.sessions.assign(session, customer.id);
    return customer;
  }

  private subscriptionOf(session: SessionRecord, customer: CustomerRecord, at: number): SubscriptionRecord {
    const { price, quantity, currency, trialDays, missingPaymentMethod } = session;
    const trialEnd = session.trialEnd ?? (trialDays === null ? null : at + trialDays * DAY);
    customer.currency ??= currency;
    const subscription = newSubscription({
      id: this.state.random.id('sub', 24),
      created: at,
      customer: customer.id,
      currency,
      price,
      quantity,
      status: trialEnd === null ? 'active' : 'trialing',
      anchor: trialEnd ?? at,
      periodStart: at,
      periodEnd: trialEnd ?? endOfPeriod(at, at, this.state.priceOf(session)),
      trialStart: trialEnd === null ? null : at,
      trialEnd,
      missingPaymentMethod,
      isTaxAutomatic: session.isTaxAutomatic,
      metadata: session.subscriptionMetadata,
    });
    if (session.promotion) {
      const owner = { customer: customer.id, subscription: subscription.id, session: session.id };
      subscription.discounts = [redeem(this.state, session.promotion, owner).id];
    }
    return this.state.subscriptions.add(subscription);
  }
}

function hasTrial({ trialDays, trialEnd }: SessionRecord): boolean {
  return trialDays !== null || trialEnd !== null;
}
