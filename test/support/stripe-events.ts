import { randomBytes } from 'node:crypto';

/** Stripe events of the current API version. Tests name only the fields that matter to them. */

const id = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;
const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000);

/** The ids of a subscription. */
export interface Subscriber {
  readonly tenantId: string;
  readonly customerId: string;
  readonly subscriptionId: string;
}

export const newSubscriber = (tenantId: string): Subscriber => ({
  tenantId,
  customerId: id('cus'),
  subscriptionId: id('sub'),
});

export interface TestEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: Record<string, unknown> };
}

export function event(type: string, object: Record<string, unknown>, at = new Date(), rest: object = {}): TestEvent {
  return {
    id: id('evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: seconds(at),
    livemode: false,
    type,
    data: { object },
    ...rest,
  } as TestEvent;
}

export interface SubscriptionFacts {
  readonly status?: string;
  readonly price?: string;
  readonly periodEnd?: number;
  readonly created?: number;
  readonly rest?: object;
}

/** A Stripe subscription object. */
export function subscriptionObject(
  { tenantId, customerId, subscriptionId }: Subscriber,
  facts: SubscriptionFacts = {},
): Record<string, unknown> {
  const {
    status = 'active',
    price = 'price_pro_monthly',
    periodEnd = 1_900_000_000,
    created = 1_700_000_000,
    rest = {},
  } = facts;
  return {
    id: subscriptionId,
    object: 'subscription',
    customer: customerId,
    status,
    created,
    cancel_at: null,
    cancel_at_period_end: false,
    pause_collection: null,
    trial_end: null,
    metadata: { tenantId },
    items: {
      object: 'list',
      data: [
        {
          id: 'si_1',
          object: 'subscription_item',
          current_period_end: periodEnd,
          price: { id: price, object: 'price' },
        },
      ],
    },
    ...rest,
  };
}

export const subscriptionUpdated = (subscriber: Subscriber, facts?: SubscriptionFacts, at?: Date) =>
  event('customer.subscription.updated', subscriptionObject(subscriber, facts), at);

export const subscriptionDeleted = (subscriber: Subscriber, at?: Date) =>
  event('customer.subscription.deleted', subscriptionObject(subscriber, { status: 'canceled' }), at);

export function checkoutCompleted(
  { tenantId, customerId, subscriptionId }: Subscriber,
  { trial = true, plan = 'Pro', rest = {} } = {},
  at?: Date,
): TestEvent {
  return event(
    'checkout.session.completed',
    {
      id: id('cs_test'),
      object: 'checkout.session',
      mode: 'subscription',
      status: 'complete',
      payment_status: trial ? 'no_payment_required' : 'paid',
      amount_total: trial ? 0 : 2900,
      currency: 'usd',
      customer: customerId,
      subscription: subscriptionId,
      client_reference_id: tenantId,
      metadata: { tenantId, plan },
      ...rest,
    },
    at,
  );
}

export function invoiceEvent(
  outcome: 'payment_failed' | 'payment_succeeded',
  { tenantId, customerId, subscriptionId }: Subscriber,
  at?: Date,
  rest: object = {},
): TestEvent {
  const parent = {
    type: 'subscription_details',
    subscription_details: { subscription: subscriptionId, metadata: { tenantId } },
  };
  return event(
    `invoice.${outcome}`,
    {
      id: id('in'),
      object: 'invoice',
      customer: customerId,
      parent,
      lines: { object: 'list', data: [] },
      metadata: {},
      ...rest,
    },
    at,
  );
}
