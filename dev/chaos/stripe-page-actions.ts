import type Stripe from 'stripe';
import type { StripeStandIn } from '../stripe/stripe-stand-in';
import { oneOf, type Action, type Situation } from './random-action';
import { COUPONS } from './chaos-coupons';

const PRICES = ['price_pro_monthly', 'price_pro_yearly', 'price_business_monthly', 'price_business_yearly'];
const MOST_SEATS = 30;

/** What customers do on Stripe's pages, and the account's users in its dashboard. */
export class StripePageActions {
  constructor(
    private readonly processor: StripeStandIn,
    private readonly stripe: Stripe,
  ) {}

  /** The actions for a live subscription. */
  of({ live, random }: Situation): Action[] {
    if (!live) return [];
    const { customerActions } = this.processor;
    const { id } = live;
    const customer = live.customer as string;
    const discounts = random.happens(0.7) ? [{ coupon: oneOf(random, COUPONS) }] : ('' as const);
    return [
      [2, () => customerActions.changePlan(id, oneOf(random, PRICES))],
      [2, () => customerActions.changeQuantity(id, 1 + Math.floor(random.next() * MOST_SEATS))],
      [2, () => customerActions.useCard(customer, 'declining')],
      [3, () => customerActions.useCard(customer, 'good')],
      [1, () => customerActions.cancelAtPeriodEnd(id)],
      [2, () => customerActions.resume(id)],
      [1, () => customerActions.cancelNow(id)],
      [1, () => customerActions.pause(id)],
      [1, () => customerActions.pauseCollection(id)],
      [2, () => this.stripe.subscriptions.update(id, { discounts })],
      ...this.ofSchedule(live.schedule as string | null),
    ];
  }

  private ofSchedule(schedule: string | null): Action[] {
    if (schedule === null) return [];
    return [
      [2, () => this.stripe.subscriptionSchedules.release(schedule)],
      [0.3, () => this.stripe.subscriptionSchedules.cancel(schedule)],
    ];
  }
}
