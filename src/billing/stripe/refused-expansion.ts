import Stripe from 'stripe';

/** Whether Stripe refused a request because of the fields that it was to expand. */
export const isRefusedExpansion = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.param?.startsWith('expand') === true || /cannot be expanded/i.test(error.message));
