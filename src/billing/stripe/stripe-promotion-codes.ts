import { Injectable } from '@nestjs/common';
import { ok } from '../../platform/result';
import { StripeClient, type StripeResult } from './stripe-client';

/** Stripe's promotion codes, which customers enter for a discount. */
@Injectable()
export class StripePromotionCodes {
  constructor(private readonly stripeClient: StripeClient) {}

  /**
   * The id of an active promotion code; undefined: there is none, or it is for another customer.
   * BILLING_UNAVAILABLE.
   */
  async find(code: string, customerId: string): Promise<StripeResult<string | undefined>> {
    const list = await this.stripeClient.call('promotionCodes.list', (stripe) =>
      stripe.promotionCodes.list({ code, active: true, limit: 1 }),
    );
    if (!list.ok) return list;
    const [found] = list.value.data;
    const isFor = (customer: typeof found.customer) =>
      customer === null || (typeof customer === 'string' ? customer : customer.id) === customerId;
    return ok(list.value.data.length > 0 && isFor(found.customer) ? found.id : undefined);
  }
}
