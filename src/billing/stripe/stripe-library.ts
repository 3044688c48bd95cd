import type Stripe from 'stripe';

/**
 * Stripe's library. It is loaded by the first call, because it takes 3 MB of memory: at start by
 * StripeClient or WebhookSignature if they are configured, otherwise never. Node keeps it.
 * @throws if it cannot be loaded
 */
export function stripeLibrary(): typeof Stripe {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import is async
  return require('stripe') as typeof Stripe;
}
