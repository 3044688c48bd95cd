import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import type { Settings } from '../../config/settings';
import type { Currency, TrialTerms } from '../catalogue/domain/plan-catalogue';
import type { PaidPlan } from '../entitlements/domain/plan';

/** The parameters of a checkout. */
export interface CheckoutOrder {
  readonly tenantId: string;
  readonly customerId: string;
  readonly plan: PaidPlan;
  readonly priceId: string;
  /** The seats, or 1 for a price that bills none. */
  readonly quantity: number;
  /** Undefined: that of the customer, or the first of the price. */
  readonly currency: Currency | undefined;
  /** The id at Stripe. */
  readonly promotionCodeId: string | undefined;
  /** Null: no trial. */
  readonly trial: TrialTerms | null;
}

/** What the payment page asks for. */
type PageSettings = Settings['processor']['checkout'];

/**
 * The parameters with which Stripe creates the checkout session.
 * @param billingUrl the page to return to
 */
export function sessionParamsOf(
  order: CheckoutOrder,
  billingUrl: string,
  page: PageSettings,
): Stripe.Checkout.SessionCreateParams {
  const { tenantId, plan, trial } = order;
  const params = { ...termsOf(order), ...pageParamsOf(order, page) };
  return {
    ...params,
    mode: 'subscription',
    client_reference_id: tenantId,
    metadata: { tenantId, plan, offer: digestOf(params), trialDays: String(trial?.days ?? 0) },
    success_url: `${billingUrl}?success=true`,
    cancel_url: billingUrl,
  };
}

/** Identifies the offer of a checkout: everything that is bought, and what the page asks for. */
export const offerOf = (order: CheckoutOrder, page: PageSettings): string =>
  digestOf({ ...termsOf(order), ...pageParamsOf(order, page) });

const digestOf = (params: object) =>
  createHash('sha256').update(JSON.stringify(params)).digest('base64url').slice(0, 32);

function termsOf(order: CheckoutOrder) {
  const { tenantId, customerId, priceId, quantity, currency, trial } = order;
  return {
    customer: customerId,
    line_items: [{ price: priceId, quantity }],
    ...(currency ? { currency } : {}),
    subscription_data: { metadata: { tenantId }, ...(trial ? { trial_period_days: trial.days, ...endOf(trial) } : {}) },
    ...(trial?.card === 'optional' ? { payment_method_collection: 'if_required' as const } : {}),
  };
}

/** A trial without a payment method ends as the catalogue says. */
const endOf = ({ card, withoutCard }: TrialTerms) =>
  card === 'optional' ? { trial_settings: { end_behavior: { missing_payment_method: withoutCard } } } : {};

/** Stripe accepts a promotion code or the field for one. Tax needs the customer's address. */
function pageParamsOf({ promotionCodeId }: CheckoutOrder, page: PageSettings) {
  const { promotionCodes, automaticTax, taxIds, billingAddress } = page;
  return {
    ...(promotionCodeId ? { discounts: [{ promotion_code: promotionCodeId }] } : {}),
    ...(promotionCodes && !promotionCodeId ? { allow_promotion_codes: true } : {}),
    ...(automaticTax ? { automatic_tax: { enabled: true } } : {}),
    ...(taxIds ? { tax_id_collection: { enabled: true } } : {}),
    ...(billingAddress === 'required' ? { billing_address_collection: 'required' as const } : {}),
    ...(automaticTax || taxIds ? { customer_update: { address: 'auto' as const, name: 'auto' as const } } : {}),
  };
}
