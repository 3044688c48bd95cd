import type Stripe from 'stripe';
import { stripeLibrary } from './stripe-library';

/** Whether Stripe says that an object does not exist. */
export const isMissing = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof stripeLibrary().errors.StripeInvalidRequestError && error.code === 'resource_missing';

/**
 * Handles the rejection of a call to Stripe: null if the object does not exist.
 * @param parameter the parameter that must name the missing object; without it, the requested
 * object
 * @throws every other error
 */
export function nullIfMissing(parameter?: string): (error: unknown) => null {
  return (error) => {
    if (isMissing(error) && (parameter === undefined || error.param === parameter)) return null;
    throw error;
  };
}

/** The same for lists: an empty one if the parameter names a missing object. */
export function emptyIfMissing(parameter: string) {
  return (error: unknown) => {
    nullIfMissing(parameter)(error);
    return { object: 'list' as const, data: [], has_more: false };
  };
}
