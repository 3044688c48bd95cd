import Stripe from 'stripe';

/**
 * Handles the rejection of a call to Stripe: null if the object does not exist.
 * @param parameter the parameter that must name the missing object; without it, the requested
 * object
 * @throws every other error
 */
export function nullIfMissing(parameter?: string): (error: unknown) => null {
  return (error) => {
    const isMissing = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
    if (isMissing && (parameter === undefined || error.param === parameter)) return null;
    throw error;
  };
}
