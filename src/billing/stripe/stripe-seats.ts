import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { ok } from '../../platform/result';
import { SEAT_PRORATION } from '../catalogue/domain/plan-catalogue';
import { isBilled } from '../subscriptions/domain/subscription-snapshot';
import { nullIfMissing } from './missing-object';
import { StripeClient, type StripeResult } from './stripe-client';

/** How many seats of a subscription are billed. */
export interface SeatOrder {
  readonly subscriptionId: string;
  /** The price of the plan: there may be other items beside it. */
  readonly priceId: string | null;
  readonly seats: number;
}

/** The seats that Stripe bills: the quantity of the item whose price has tiers. */
@Injectable()
export class StripeSeats {
  constructor(private readonly stripeClient: StripeClient) {}

  /**
   * Sets the quantity, whatever it was. A flat price, and a subscription that is not paid now, stay
   * as they are. A repeated call finds the number right and changes nothing; it has no idempotency
   * key of its own, because Stripe would repeat the answer to a call that failed.
   * BILLING_UNAVAILABLE.
   * @returns whether Stripe's quantity was another one, also if the subscription is gone by now
   */
  async set({ subscriptionId, priceId, seats }: SeatOrder): Promise<StripeResult<boolean>> {
    const found = await this.stripeClient.call('subscriptions.retrieve', (stripe) =>
      stripe.subscriptions.retrieve(subscriptionId).catch(nullIfMissing()),
    );
    if (!found.ok) return found;
    const item = found.value && seatItemOf(found.value, priceId);
    if (!item || item.quantity === seats) return ok(false);
    const items = [{ id: item.id, quantity: seats }];
    const proration_behavior = prorationOf(found.value, item);
    const updated = await this.stripeClient.call('subscriptions.update', (stripe) =>
      stripe.subscriptions.update(subscriptionId, { items, proration_behavior }).catch(nullIfMissing()),
    );
    return updated.ok ? ok(true) : updated;
  }
}

/** No invoice of its own while another one is due. */
const prorationOf = ({ status }: Stripe.Subscription, { price }: Stripe.SubscriptionItem) =>
  SEAT_PRORATION[price.recurring?.interval === 'year' && status !== 'past_due' ? 'year' : 'month'];

const seatItemOf = (
  { status, items }: Stripe.Subscription,
  priceId: string | null,
): Stripe.SubscriptionItem | undefined =>
  isBilled(status)
    ? items.data.find(({ price }) => price.id === priceId && price.billing_scheme === 'tiered')
    : undefined;
