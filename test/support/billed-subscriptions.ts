import type { RevenueDayView, RevenueLineView, RevenueView } from '../../src/billing/http/views/revenue.views';
import { DAY } from '../../src/platform/clock';
import type { Member, SignedInUser } from './actors';
import type { TestApp } from './app';
import { Billing } from './billing';
import { newSubscriber, subscriptionUpdated, type Subscriber } from './stripe-events';

/** What a subscription pays; a test names only what matters to it. */
export interface BilledTerms {
  readonly status?: string;
  readonly price?: string;
  readonly currency?: string;
  /** Undefined: the price bills no seats. */
  readonly seats?: number;
  readonly rest?: object;
}

/** Subscriptions as events of Stripe say them, and the revenue that operators see. */
export class BilledSubscriptions {
  readonly billing: Billing;
  /** Each event is later than the one before. */
  private second = 1_750_000_000;

  private constructor(
    private readonly t: TestApp,
    private signedIn: SignedInUser,
  ) {
    this.billing = new Billing(t);
  }

  static async of(t: TestApp): Promise<BilledSubscriptions> {
    return new BilledSubscriptions(t, await t.actors.admin());
  }

  /** An operator whose session has not expired. */
  get admin(): SignedInUser {
    return this.signedIn;
  }

  /** Time passes, and an operator signs in again. */
  async passDays(days: number): Promise<void> {
    this.t.clock.advance(days * DAY);
    this.signedIn = await this.t.actors.admin();
  }

  /** A new tenant with a subscription. */
  async add(terms: BilledTerms = {}): Promise<{ owner: Member; subscriber: Subscriber }> {
    const owner = await this.t.actors.owner();
    const subscriber = newSubscriber(owner.tenantId);
    await this.change(subscriber, terms);
    return { owner, subscriber };
  }

  /** What Stripe says of a subscription now. */
  async change(subscriber: Subscriber, terms: BilledTerms = {}): Promise<void> {
    await this.billing.take(this.eventOf(subscriber, terms));
  }

  eventOf(subscriber: Subscriber, { status, price, currency = 'usd', seats, rest }: BilledTerms = {}) {
    const id = price ?? 'price_pro_monthly';
    const scheme = seats === undefined ? {} : { billing_scheme: 'tiered' };
    const item = { id: 'si_1', current_period_end: 1_900_000_000, price: { id, object: 'price', ...scheme } };
    const items = { object: 'list', data: [{ ...item, quantity: seats ?? 1 }] };
    const at = new Date(this.second++ * 1000);
    return subscriptionUpdated(subscriber, { status, rest: { currency, items, ...rest } }, at);
  }

  async revenue(days?: number): Promise<RevenueView> {
    const query = days === undefined ? '' : `?days=${days}`;
    const { body } = await this.t.api.get(`/admin/revenue${query}`).set(this.admin.bearer).expect(200);
    return body.data as RevenueView;
  }
}

/** A line without its zeros. */
export function lineIn({ lines }: RevenueDayView, plan: string, currency: string | null): Partial<RevenueLineView> {
  const found = lines.find((line) => line.plan === plan && line.currency === currency);
  const values = Object.entries(found ?? {}).filter(
    ([name, value]) => !['plan', 'currency'].includes(name) && value !== 0,
  );
  return Object.fromEntries(values);
}
