import { Injectable } from '@nestjs/common';
import { ok } from '../../platform/result';
import { idIn } from './stripe-fields';
import { StripeClient, type StripeResult } from './stripe-client';

/** Stripe's promotion codes, which customers enter for a discount. */
@Injectable()
export class StripePromotionCodes {
  constructor(private readonly stripeClient: StripeClient) {}

  /**
   * The id of an active promotion code: one for this customer, else one for everybody. Several
   * customers can have codes with the same text. Undefined: there is none. BILLING_UNAVAILABLE.
   */
  async find(code: string, customerId: string): Promise<StripeResult<string | undefined>> {
    const list = await this.stripeClient.call('promotionCodes.list', (stripe) =>
      stripe.promotionCodes.list({ code, active: true, limit: 100 }),
    );
    if (!list.ok) return list;
    const ofCustomer = (wanted: string | null) => list.value.data.find(({ customer }) => idIn(customer) === wanted);
    return ok((ofCustomer(customerId) ?? ofCustomer(null))?.id);
  }
}
