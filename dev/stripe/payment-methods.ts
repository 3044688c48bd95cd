import type { ApiObject } from './api-objects';
import type { Card, CustomerRecord } from './records';
import type { State } from './state';

/** Stripe's test cards: one that works, and one that is accepted but cannot be charged. */
const LAST_FOUR = { good: '4242', declining: '0341' } as const satisfies Record<Card, string>;
const VALID_YEARS = 4;

/** The id of a customer's card. Another card has another id. */
export function paymentMethodId({ id, card }: CustomerRecord): string | null {
  return card && `${id.replace(/^cus_/, 'pm_')}${LAST_FOUR[card]}`;
}

/** The customer who has the card with an id now; undefined if nobody has it. */
export function customerWithCard(state: State, id: string): CustomerRecord | undefined {
  const customer = state.customers.get(id.replace(/^pm_/, 'cus_').slice(0, -4));
  return customer && !customer.isDeleted && paymentMethodId(customer) === id ? customer : undefined;
}

/** A customer's card as the API returns it; undefined for a customer without one. */
export function paymentMethodObject(customer: CustomerRecord): ApiObject | undefined {
  const { card, created, email, name, phone } = customer;
  const id = paymentMethodId(customer);
  if (!card || !id) return undefined;
  const address = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'always',
    billing_details: { address, email, name, phone, tax_id: null },
    card: {
      brand: 'visa',
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: new Date(created * 1000).getUTCFullYear() + VALID_YEARS,
      fingerprint: `card${LAST_FOUR[card]}`,
      funding: 'credit',
      generated_from: null,
      last4: LAST_FOUR[card],
      networks: { available: ['visa'], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created,
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}
