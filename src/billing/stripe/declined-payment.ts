import Stripe from 'stripe';

/** Handles the rejection of a call to Stripe: null if the payment method was declined. */
export function nullIfDeclined(error: unknown): null {
  if (error instanceof Stripe.errors.StripeCardError) return null;
  throw error;
}
