import type Stripe from 'stripe';
import { currentContext } from '../../platform/observability/request-context';

/**
 * The option with Stripe's idempotency key for a call that a client may repeat: a hash of the
 * client's key. None without that header; then Stripe's package makes a key for each call.
 * @param purpose distinguishes the calls of one request; calls with other parameters differ in it
 */
export function idempotencyOf(purpose: string): [options?: Stripe.RequestOptions] {
  const { claim } = currentContext();
  return claim ? [{ idempotencyKey: `${claim.execution}-${purpose}` }] : [];
}
