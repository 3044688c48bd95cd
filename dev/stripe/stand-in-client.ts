import Stripe from 'stripe';
import type { StripeStandIn } from './stripe-stand-in';

/** Stripe's own library as a client of the stand-in, as the service uses it. */
export function clientOf({ url, settings }: Pick<StripeStandIn, 'url' | 'settings'>, maxNetworkRetries = 0): Stripe {
  return new Stripe(settings.PROCESSOR_SECRET_KEY, {
    apiVersion: '2026-10-28.endive',
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    protocol: 'http',
    telemetry: false,
    timeout: 20_000,
    maxNetworkRetries,
  });
}

/** @returns why a request failed, undefined if it did not */
export function failureOf(promise: Promise<unknown>): Promise<Stripe.errors.StripeError | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => error as Stripe.errors.StripeError,
  );
}
