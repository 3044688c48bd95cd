import { stripeLibrary } from './stripe-library';

const PAYMENT_REQUIRED = 402;

/**
 * Handles the rejection of a call to Stripe: null if the payment method was declined, or needs a
 * confirmation of its owner.
 */
export function nullIfDeclined(error: unknown): null {
  if (error instanceof stripeLibrary().errors.StripeError && error.statusCode === PAYMENT_REQUIRED) return null;
  throw error;
}
