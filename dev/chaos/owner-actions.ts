import type Stripe from 'stripe';
import type { StripeStandIn } from '../stripe/stripe-stand-in';
import { groupBy } from './group-by';
import type { ChaosTenant } from './tenant-seed';

/** What somebody may do next, and how likely. */
type Action = readonly [weight: number, doIt: () => Promise<unknown>];

const PRICES = ['price_pro_monthly', 'price_business_monthly'];

/**
 * The lives of tenants: what their Owners do in the application and on the processor's pages, one
 * thing at a time, by chance.
 */
export class Life {
  deeds = 0;
  /** Requests that were cut off or refused because the service or the processor was away. */
  interrupted = 0;

  private byTenant = new Map<string, Stripe.Subscription[]>();

  constructor(
    private readonly processor: StripeStandIn,
    private readonly address: () => string,
    private readonly chance: () => number,
  ) {}

  /** Looks who is subscribed to what: once for many deeds. */
  look(): void {
    this.byTenant = groupBy(this.processor.subscriptions(), ({ metadata }) => metadata.tenantId);
  }

  /** Lets an Owner do something that is possible in the state that their subscription is in. */
  async live(tenant: ChaosTenant): Promise<void> {
    const deeds = this.possible(tenant);
    let luck = this.chance() * deeds.reduce((sum, [weight]) => sum + weight, 0);
    const [, doIt] = deeds.find(([weight]) => (luck -= weight) < 0) ?? deeds[0];
    this.deeds++;
    await doIt().catch(() => this.interrupted++);
  }

  private possible(tenant: ChaosTenant): Action[] {
    const { customerActions } = this.processor;
    const live = this.byTenant.get(tenant.id)?.find(({ status }) => status !== 'canceled');
    const rest: Action = [2, () => this.ask(tenant, 'POST', '/billing/sync')];
    if (!live) return [rest, [6, () => this.subscribe(tenant)], [1, () => this.subscribeTwice(tenant)]];
    const customer = live.customer as string;
    const price = PRICES[Math.floor(this.chance() * PRICES.length)];
    return [
      rest,
      [2, () => customerActions.changePlan(live.id, price)],
      [2, () => customerActions.useCard(customer, 'declining')],
      [3, () => customerActions.useCard(customer, 'good')],
      [1, () => customerActions.cancelAtPeriodEnd(live.id)],
      [2, () => customerActions.resume(live.id)],
      [1, () => customerActions.cancelNow(live.id)],
      [1, () => customerActions.pause(live.id)],
      [1, () => customerActions.pauseCollection(live.id)],
      [1, () => this.ask(tenant, 'POST', '/billing/checkout', { planName: 'Pro' })],
    ];
  }

  private async subscribe(tenant: ChaosTenant): Promise<void> {
    const planName = this.chance() < 0.5 ? 'Pro' : 'Business';
    const { checkoutUrl } = (await this.ask(tenant, 'POST', '/billing/checkout', { planName })) as {
      checkoutUrl: string;
    };
    const luck = this.chance();
    if (luck < 0.1) await this.processor.customerActions.payWithDeclinedCard(checkoutUrl);
    else if (luck < 0.2) await this.processor.customerActions.abandon(checkoutUrl);
    else await this.processor.customerActions.pay(checkoutUrl);
  }

  /** Two people of the tenant at once, for different plans. */
  private async subscribeTwice(tenant: ChaosTenant): Promise<void> {
    const begin = (planName: string) => this.ask(tenant, 'POST', '/billing/checkout', { planName });
    await Promise.all([begin('Pro'), begin('Business')]);
  }

  /** @throws when it is refused or cut off */
  private async ask({ token }: ChaosTenant, method: string, path: string, body?: object): Promise<unknown> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${this.address()}/api/v1${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    const { success, data, error } = (await answer.json()) as {
      success: boolean;
      data: unknown;
      error?: { code: string };
    };
    if (!success) throw new Error(error?.code);
    return data;
  }
}
