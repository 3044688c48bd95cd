import type Stripe from 'stripe';
import type { StripeStandIn } from '../stripe/stripe-stand-in';
import { groupBy } from './group-by';
import type { ChaosTenant } from './tenant-seed';

/** A possible next action, and how likely it is. */
type Action = readonly [weight: number, run: () => Promise<unknown>];

const PRICES = ['price_pro_monthly', 'price_business_monthly'];

/**
 * Random actions of Owners in the application and on the pages of Stripe, one at a time per tenant.
 */
export class OwnerActions {
  actions = 0;
  /** Actions that failed because the service or Stripe was unavailable or rejected them. */
  interrupted = 0;

  private byTenant = new Map<string, Stripe.Subscription[]>();

  constructor(
    private readonly processor: StripeStandIn,
    private readonly address: () => string,
    private readonly random: () => number,
  ) {}

  /** Reads all subscriptions once, before many actions. */
  readSubscriptions(): void {
    this.byTenant = groupBy(this.processor.subscriptions(), ({ metadata }) => metadata.tenantId);
  }

  /** Runs a random action that the state of the tenant's subscription allows. */
  async act(tenant: ChaosTenant): Promise<void> {
    const actions = this.possibleActions(tenant);
    let rest = this.random() * actions.reduce((sum, [weight]) => sum + weight, 0);
    const [, run] = actions.find(([weight]) => (rest -= weight) < 0) ?? actions[0];
    this.actions++;
    await run().catch(() => this.interrupted++);
  }

  private possibleActions(tenant: ChaosTenant): Action[] {
    const { customerActions } = this.processor;
    const live = this.byTenant.get(tenant.id)?.find(({ status }) => status !== 'canceled');
    const sync: Action = [2, () => this.request(tenant, 'POST', '/billing/sync')];
    if (!live) return [sync, [6, () => this.subscribe(tenant)], [1, () => this.subscribeTwice(tenant)]];
    const customer = live.customer as string;
    const price = PRICES[Math.floor(this.random() * PRICES.length)];
    return [
      sync,
      [2, () => customerActions.changePlan(live.id, price)],
      [2, () => customerActions.useCard(customer, 'declining')],
      [3, () => customerActions.useCard(customer, 'good')],
      [1, () => customerActions.cancelAtPeriodEnd(live.id)],
      [2, () => customerActions.resume(live.id)],
      [1, () => customerActions.cancelNow(live.id)],
      [1, () => customerActions.pause(live.id)],
      [1, () => customerActions.pauseCollection(live.id)],
      [1, () => this.request(tenant, 'POST', '/billing/checkout', { planName: 'Pro' })],
    ];
  }

  private async subscribe(tenant: ChaosTenant): Promise<void> {
    const planName = this.random() < 0.5 ? 'Pro' : 'Business';
    const { checkoutUrl } = (await this.request(tenant, 'POST', '/billing/checkout', { planName })) as {
      checkoutUrl: string;
    };
    const outcome = this.random();
    if (outcome < 0.1) await this.processor.customerActions.payWithDeclinedCard(checkoutUrl);
    else if (outcome < 0.2) await this.processor.customerActions.abandon(checkoutUrl);
    else await this.processor.customerActions.pay(checkoutUrl);
  }

  /** Two users of the tenant at once, for different plans. */
  private async subscribeTwice(tenant: ChaosTenant): Promise<void> {
    const checkout = (planName: string) => this.request(tenant, 'POST', '/billing/checkout', { planName });
    await Promise.all([checkout('Pro'), checkout('Business')]);
  }

  /** @throws if the request fails or returns an error */
  private async request({ token }: ChaosTenant, method: string, path: string, body?: object): Promise<unknown> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${this.address()}/api/v1${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    const { success, data, error } = (await response.json()) as {
      success: boolean;
      data: unknown;
      error?: { code: string };
    };
    if (!success) throw new Error(error?.code);
    return data;
  }
}
