import type { SubscriptionActions } from './subscription-actions';
import type { Checkout, CustomerDetails } from './checkout';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import type { Card, SessionRecord, SubscriptionRecord } from './records';
import type { State } from './state';

/** The actions of a customer on the pages, without a browser. Throws what the page would show. */
export class CustomerActions {
  constructor(
    private readonly state: State,
    private readonly lifecycle: SubscriptionLifecycle,
    private readonly checkout: Checkout,
    private readonly actions: SubscriptionActions,
  ) {}

  /**
   * Pays, or starts a trial.
   * @param session its id or its address
   * @param card null: without one, if the session allows it
   * @param details what the customer enters
   */
  async pay(session: string, card: Card | null = 'good', details?: CustomerDetails): Promise<void> {
    await this.act(() => this.checkout.pay(this.sessionAt(session), card, details));
  }

  /** Enters a promotion code in a checkout. */
  async enterCode(session: string, code: string): Promise<void> {
    await this.act(() => this.checkout.applyCode(this.sessionAt(session), code));
  }

  /** The session stays open and no subscription is created. */
  async payWithDeclinedCard(session: string): Promise<void> {
    await this.act(() => this.checkout.decline(this.sessionAt(session)));
  }

  /** Like that, but of an older API version: an incomplete subscription is left. */
  async payIncompletely(session: string): Promise<void> {
    await this.act(() => this.checkout.leaveIncomplete(this.sessionAt(session)));
  }

  /** Goes back without paying. The session stays open until it expires. */
  async abandon(session: string): Promise<void> {
    await this.act(() => this.sessionAt(session));
  }

  async changePlan(subscriptionId: string, priceId: string): Promise<void> {
    await this.act(() => {
      if (!this.state.prices.get(priceId)?.interval) throw new Error(`There is no recurring price ${priceId}.`);
      this.actions.change(this.subscriptionWith(subscriptionId), { price: priceId });
    });
  }

  /** Changes the number of seats. */
  async changeQuantity(subscriptionId: string, quantity: number): Promise<void> {
    await this.act(() => this.actions.change(this.subscriptionWith(subscriptionId), { quantity }));
  }

  async cancelAtPeriodEnd(subscriptionId: string): Promise<void> {
    await this.act(() => this.actions.cancelAtPeriodEnd(this.subscriptionWith(subscriptionId)));
  }

  /** Undoes a pause, a pause of collection or a planned cancellation, whichever applies. */
  async resume(subscriptionId: string): Promise<void> {
    await this.act(() => this.actions.resume(this.subscriptionWith(subscriptionId)));
  }

  async cancelNow(subscriptionId: string): Promise<void> {
    await this.act(() => this.actions.cancelNow(this.subscriptionWith(subscriptionId)));
  }

  /** The status becomes `paused`. */
  async pause(subscriptionId: string): Promise<void> {
    await this.act(() => this.actions.pause(this.subscriptionWith(subscriptionId)));
  }

  /** The status stays. Invoices are created but not collected. */
  async pauseCollection(subscriptionId: string): Promise<void> {
    const pauseCollection = { behavior: 'void', resumesAt: null } as const;
    await this.act(() => this.actions.change(this.subscriptionWith(subscriptionId), { pauseCollection }));
  }

  /** With a good card, open invoices are paid at once. */
  async useCard(customerId: string, card: Card): Promise<void> {
    await this.act(() => {
      const customer = this.state.customers.get(customerId);
      if (!customer) throw new Error(`There is no customer ${customerId}.`);
      this.actions.useCard(customer, card);
    });
  }

  /** Runs what is due before the action. */
  private act(action: () => void): Promise<void> {
    return Promise.resolve().then(() => {
      this.lifecycle.runDue();
      action();
    });
  }

  private sessionAt(address: string): SessionRecord {
    const session = this.state.sessions.get(/cs_test_\w+/.exec(address)?.[0] ?? '');
    if (!session) throw new Error(`There is no checkout session at ${address}.`);
    return session;
  }

  private subscriptionWith(id: string): SubscriptionRecord {
    const subscription = this.state.subscriptions.get(id);
    if (!subscription) throw new Error(`There is no subscription ${id}.`);
    return subscription;
  }
}
