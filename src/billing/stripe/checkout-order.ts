import type Stripe from 'stripe';
import { TRIAL_DAYS, type PaidPlan } from '../entitlements/domain/plan';

/** The parameters of a checkout. */
export interface CheckoutOrder {
  readonly tenantId: string;
  readonly customerId: string;
  readonly plan: PaidPlan;
  readonly priceId: string;
  readonly hasTrial: boolean;
}

/** Identifies the offer of a checkout: plan, price and trial days. */
export const offerOf = ({ plan, priceId, hasTrial }: CheckoutOrder): string =>
  `${plan} ${priceId} ${hasTrial ? TRIAL_DAYS : 0}`;

/**
 * The parameters with which Stripe creates the checkout session.
 * @param billingUrl the page to return to
 */
export function sessionParamsOf(order: CheckoutOrder, billingUrl: string): Stripe.Checkout.SessionCreateParams {
  const { tenantId, customerId, plan, priceId, hasTrial } = order;
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: tenantId,
    line_items: [{ price: priceId, quantity: 1 }],
    metadata: { tenantId, plan, offer: offerOf(order) },
    subscription_data: { metadata: { tenantId }, ...(hasTrial ? { trial_period_days: TRIAL_DAYS } : {}) },
    success_url: `${billingUrl}?success=true`,
    cancel_url: billingUrl,
  };
}
