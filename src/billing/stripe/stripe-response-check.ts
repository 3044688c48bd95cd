import { isFields, textOf, type Fields } from './stripe-fields';

const has = (object: string, field: 'id' | 'url') => (response: Fields) =>
  response.object === object && textOf(response[field]) !== null;
const isObject = (object: string) => (response: Fields) => response.object === object;
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
  'subscriptions.resume': has('subscription', 'id'),
  'subscriptions.update': has('subscription', 'id'),
  'subscriptionSchedules.create': has('subscription_schedule', 'id'),
  'subscriptionSchedules.retrieve': has('subscription_schedule', 'id'),
  'subscriptionSchedules.update': has('subscription_schedule', 'id'),
  'subscriptionSchedules.release': has('subscription_schedule', 'id'),
  'invoices.createPreview': isObject('invoice'),
  'invoices.list': lists('list'),
  'creditNotes.create': has('credit_note', 'id'),
  'customers.retrieve': has('customer', 'id'),
  'promotionCodes.list': lists('list'),
  'prices.list': lists('list'),
  'prices.retrieve': has('price', 'id'),
  'prices.create': has('price', 'id'),
  'prices.update': has('price', 'id'),
  'products.retrieve': has('product', 'id'),
  'products.create': has('product', 'id'),
  'products.update': has('product', 'id'),
  'billingPortal.sessions.create': has('billing_portal.session', 'url'),
};

/** The name of a call to Stripe. */
export type Operation = keyof typeof EXPECTED;

/** Whether a response is what the operation returns, and not for example JSON of a proxy. */
export const isExpected = (operation: Operation, response: unknown): boolean =>
  isFields(response) && EXPECTED[operation](response);
