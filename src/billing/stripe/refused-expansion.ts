import type Stripe from 'stripe';
import { stripeLibrary } from './stripe-library';

/** Whether Stripe refused a request because of the fields that it was to expand. */
export const isRefusedExpansion = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof stripeLibrary().errors.StripeInvalidRequestError &&
  (error.param?.startsWith('expand') === true || /cannot be expanded/i.test(error.message));
