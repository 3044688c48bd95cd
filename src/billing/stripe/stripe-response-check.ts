import { isFields, textOf, type Fields } from './json-fields';

const has = (object: string, field: 'id' | 'url') => (answer: Fields) =>
  answer.object === object && textOf(answer[field]) !== null;
const lists = (object: string) => (answer: Fields) =>
  answer.object === object &&
  Array.isArray(answer.data) &&
  answer.data.every((item) => isFields(item) && textOf(item.id) !== null);

/**
 * What the answer to each call must be for us to make anything of it; everything else about it may
 * be missing.
 */
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

/** A call to the processor. */
export type Operation = keyof typeof EXPECTED;

/**
 * Whether an answer is what was asked for, as opposed to JSON of a proxy, or of nobody knows whom.
 */
export const isExpected = (operation: Operation, answer: unknown): boolean =>
  isFields(answer) && EXPECTED[operation](answer);
