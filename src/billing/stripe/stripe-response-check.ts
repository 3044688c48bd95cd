import { isFields, textOf, type Fields } from './stripe-fields';

const has = (object: string, field: 'id' | 'url') => (response: Fields) =>
  response.object === object && textOf(response[field]) !== null;
const lists = (object: string) => (response: Fields) =>
  response.object === object &&
  Array.isArray(response.data) &&
  response.data.every((item) => isFields(item) && textOf(item.id) !== null);

/** The minimum that the response to each call must contain. Everything else may be missing. */
const EXPECTED = {
  'customers.search': lists('search_result'),
  'customers.create': has('customer', 'id'),
  'customers.update': has('customer', 'id'),
  'subscriptions.list': lists('list'),
  'subscriptions.page': lists('list'),
  'subscriptions.retrieve': has('subscription', 'id'),
  'subscriptions.cancel': has('subscription', 'id'),
  'checkout.sessions.list': lists('list'),
  'checkout.sessions.create': has('checkout.session', 'url'),
  'checkout.sessions.expire': has('checkout.session', 'id'),
  'billingPortal.sessions.create': has('billing_portal.session', 'url'),
};

/** The name of a call to Stripe. */
export type Operation = keyof typeof EXPECTED;

/** Whether a response is what the operation returns, and not for example JSON of a proxy. */
export const isExpected = (operation: Operation, response: unknown): boolean =>
  isFields(response) && EXPECTED[operation](response);
