import { LimitedRoute } from '../../http/rate-limits/route-limit.guard';

/** Requests of a tenant in a minute that may call Stripe. */
export const STRIPE_REQUESTS_PER_MINUTE = 60;

/**
 * For routes that call Stripe: at most 60 requests of a tenant in a minute, else 429, because all
 * tenants share the account's limit there.
 */
export const CallsStripe = () => LimitedRoute({ kind: 'stripe', perMinute: STRIPE_REQUESTS_PER_MINUTE, by: 'tenant' });
