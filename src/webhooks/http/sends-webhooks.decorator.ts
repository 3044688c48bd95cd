import { LimitedRoute } from '../../http/rate-limits/route-limit.guard';

/** Requests per tenant and minute that send messages. */
export const SENDING_REQUESTS_PER_MINUTE = 60;

/** For routes that send to receivers: at most 60 requests of a tenant in a minute, else 429. */
export const SendsWebhooks = () =>
  LimitedRoute({ kind: 'webhooks', perMinute: SENDING_REQUESTS_PER_MINUTE, by: 'tenant' });
