import type Stripe from 'stripe';
import { changeOf } from './subscription-parameters';
import { listPage, type ListParams } from './pagination';
import type { SubscriptionRecord } from './records';
import { resourceMissing } from './stripe-error';
import { eventObject } from './api-objects';
import { subscriptionObject } from './billing-objects';
import { route, type Context, type Routes } from './routes';

type SubscriptionFilter = ListParams & { status?: string; price?: string };
type EventFilter = ListParams & { type?: string; types?: string[]; delivery_success?: boolean };

/** Subscriptions and events. */
export const billingRoutes: Routes = {
  'GET /v1/subscriptions/{id}': route((context, _params, id) =>
    subscriptionObject(context.state, subscriptionWith(context, id)),
  ),
  'POST /v1/subscriptions/{id}': route<Stripe.SubscriptionUpdateParams>((context, params, id) => {
    const subscription = subscriptionWith(context, id);
    context.actions.change(subscription, changeOf(context.state, subscription, params));
    if (params.trial_end === 'now') context.actions.endTrial(subscription);
    return subscriptionObject(context.state, subscription);
  }),
  'DELETE /v1/subscriptions/{id}': route((context, _params, id) => {
    const subscription = subscriptionWith(context, id);
    // Stripe responds to a second DELETE like this
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
      throw resourceMissing('subscription', id);
    context.actions.cancelNow(subscription);
    return subscriptionObject(context.state, subscription);
  }),
  'POST /v1/subscriptions/{id}/pause': route((context, _params, id) => {
    const subscription = subscriptionWith(context, id);
    context.actions.pause(subscription);
    return subscriptionObject(context.state, subscription);
  }),
  'POST /v1/subscriptions/{id}/resume': route<Stripe.SubscriptionResumeParams>((context, params, id) => {
    const subscription = subscriptionWith(context, id);
    context.actions.unpause(subscription, params.payment_behavior === 'resume_on_payment_success');
    return subscriptionObject(context.state, subscription);
  }),
  'GET /v1/subscriptions': route<SubscriptionFilter>(({ state }, { status, price, ...params }) =>
    listPage(
      {
        url: '/v1/subscriptions',
        name: 'subscription',
        table: state.subscriptions,
        customers: state.customers,
        render: (row) => subscriptionObject(state, row),
      },
      params,
      (row) => hasStatus(row, status) && (price === undefined || row.price === price),
    ),
  ),

  'GET /v1/events/{id}': route(({ state }, _params, id) => {
    const event = state.events.get(id);
    if (!event) throw resourceMissing('event', id);
    return eventObject(event);
  }),
  'GET /v1/events': route<EventFilter>(({ state }, { type, types, delivery_success: isDelivered, ...params }) =>
    listPage(
      { url: '/v1/events', name: 'event', table: state.events, render: eventObject },
      params,
      (event) =>
        (type === undefined ||
          event.type === type ||
          (type.endsWith('.*') && event.type.startsWith(type.slice(0, -1)))) &&
        (types === undefined || types.includes(event.type)) &&
        (isDelivered === undefined || (event.delivery === 'delivered') === isDelivered),
    ),
  ),
};

function hasStatus({ status }: SubscriptionRecord, wanted: string | undefined): boolean {
  if (wanted === undefined) return status !== 'canceled';
  return wanted === 'all' || status === wanted || (wanted === 'ended' && status === 'canceled');
}

function subscriptionWith({ state }: Context, id: string): SubscriptionRecord {
  const subscription = state.subscriptions.get(id);
  if (!subscription) throw resourceMissing('subscription', id);
  return subscription;
}
