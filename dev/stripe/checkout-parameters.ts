import type Stripe from 'stripe';
import { promotionOf, type Promotion } from './discounts';
import { amountFor } from './price-amounts';
import type { State } from './state';
import { StripeError } from './stripe-error';

type Params = Stripe.Checkout.SessionCreateParams;

/** The coupon with which a checkout starts. @throws a StripeError if it cannot be redeemed */
export function promotionOfSession(state: State, params: Params, currency: string): Promotion | null {
  const { discounts, allow_promotion_codes: allowsCodes, customer = null } = params;
  if (discounts === undefined) return null;
  if (allowsCodes !== undefined)
    throw new StripeError('You may only specify one of these parameters: allow_promotion_codes, discounts.', {
      param: 'discounts',
    });
  const [discount, ...others] = discounts;
  if (others.length > 0) throw new StripeError('This stand-in has one discount per checkout.', { param: 'discounts' });
  const [{ price, quantity = 1 }] = params.line_items!;
  const amount = amountFor(state.prices.get(price!)!, quantity, currency);
  return promotionOf(state, discount, { customer, currency, amount }, 'discounts[0]');
}

/** An existing customer is only changed by a checkout that says so. */
export function refuseMissingUpdates(state: State, params: Params): void {
  const { customer: id, customer_update: update = {}, automatic_tax: tax, tax_id_collection: taxId } = params;
  const customer = id === undefined ? undefined : state.customers.get(id);
  if (!customer) return;
  if (taxId?.enabled && update.name !== 'auto')
    throw new StripeError(
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an ' +
        'existing customer, please set `customer_update[name]` to `auto`.',
      { param: 'customer_update[name]' },
    );
  if (tax?.enabled && !customer.address && update.address !== 'auto')
    throw new StripeError(
      'Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the ' +
        'Customer or set `customer_update[address]` to `auto` to save the address entered in Checkout.',
      { param: 'customer_update[address]', code: 'customer_tax_location_invalid' },
    );
}
