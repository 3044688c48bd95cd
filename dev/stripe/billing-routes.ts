import type Stripe from 'stripe';
import type { SubscriptionChange } from './subscription-actions';
import { listPage, type ListParams } from './pagination';
import type { SubscriptionRecord } from './records';
import { resourceMissing, StripeError } from './stripe-error';
import { eventObject } from './api-objects';
import { invoiceObject, subscriptionObject } from './billing-objects';
import { mergedMetadata, route, type Context, type Routes } from './routes';

type SubscriptionFilter = ListParams & { status?: string; price?: string };
type EventFilter = ListParams & { type?: string; types?: string[]; delivery_success?: boolean };

/** Subscriptions, invoices and events. */
export const billingRoutes: Routes = {
  'GET /v1/subscriptions/{id}': route((context, _params, id) =>
    subscriptionObject(context.state, subscriptionWith(context, id)),
  ),
  'POST /v1/subscriptions/{id}': route<Stripe.SubscriptionUpdateParams>((context, params, id) => {
    const subscription = subscriptionWith(context, id);
    context.actions.change(subscription, changeOf(context, subscription, params));
    if (params.trial_end === 'now') context.actions.endTrial(subscription);
    return subscriptionObject(context.state, subscription);
  }),
  'DELETE /v1/subscriptions/{id}': route((context, _params, id) => {
    const subscription = subscriptionWith(context, id);
    // Stripe responds to a second DELETE like this
    if (subscription.status === 'canceled') throw resourceMissing('subscription', id);
    context.actions.cancelNow(subscription);
    return subscriptionObject(context.state, subscription);
  }),
  'POST /v1/subscriptions/{id}/pause': route((context, _params, id) => {
    const subscription = subscriptionWith(context, id);
    context.actions.pause(subscription);
    return subscriptionObject(context.state, subscription);
  }),
  'POST /v1/subscriptions/{id}/resume': route((context, _params, id) => {
    const subscription = subscriptionWith(context, id);
    context.actions.unpause(subscription);
    return subscriptionObject(context.state, subscription);
  }),
  'GET /v1/subscriptions': route<SubscriptionFilter>(({ state }, { status, price, ...params }) =>
    listPage(
      {
        url: '/v1/subscriptions',
        name: 'subscription',
        table: state.subscriptions,
        render: (row) => subscriptionObject(state, row),
      },
      params,
      (row) => hasStatus(row, status) && (price === undefined || row.price === price),
    ),
  ),

  'GET /v1/invoices/{id}': route((context, _params, id) => invoiceObject(context.state, invoiceWith(context, id))),
  'POST /v1/invoices/{id}/pay': route((context, _params, id) => {
    const invoice = invoiceWith(context, id);
    context.actions.payInvoice(invoice);
    return invoiceObject(context.state, invoice);
  }),
  'GET /v1/invoices': route<ListParams & { status?: string; subscription?: string }>(
    ({ state }, { status, subscription, ...params }) =>
      listPage(
        { url: '/v1/invoices', name: 'invoice', table: state.invoices, render: (row) => invoiceObject(state, row) },
        params,
        (row) =>
          (status === undefined || row.status === status) &&
          (subscription === undefined || row.subscription === subscription),
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

function changeOf(
  { state }: Context,
  subscription: SubscriptionRecord,
  params: Stripe.SubscriptionUpdateParams,
): SubscriptionChange {
  const {
    items: [item] = [],
    cancel_at: cancelAt,
    cancel_at_period_end: isAtPeriodEnd,
    pause_collection: pause,
  } = params;
  if (item?.price !== undefined && !state.prices.get(item.price))
    throw resourceMissing('price', item.price, 'items[0][price]');
  if (item?.id !== undefined && item.id !== subscription.id.replace(/^sub_/, 'si_'))
    throw resourceMissing('subscription_item', item.id, 'items[0][id]');
  if (item?.price !== undefined && item.id === undefined) {
    throw new StripeError('This stand-in has one item per subscription: name it (items[0][id]) to change it.', {
      param: 'items[0][id]',
    });
  }
  return {
    price: item?.price,
    quantity: item?.quantity,
    metadata: params.metadata === undefined ? undefined : mergedMetadata(subscription.metadata, params.metadata),
    pauseCollection:
      pause === undefined
        ? undefined
        : pause
          ? { behavior: pause.behavior as 'void', resumesAt: pause.resumes_at ?? null }
          : null,
    cancelAt: isAtPeriodEnd
      ? 'period-end'
      : cancelAt === undefined && isAtPeriodEnd === false
        ? null
        : endOf(cancelAt, subscription),
  };
}

function endOf(
  cancelAt: Stripe.SubscriptionUpdateParams['cancel_at'],
  { periodEnd }: SubscriptionRecord,
): number | null | undefined {
  if (cancelAt === undefined) return undefined;
  if (cancelAt === '' || cancelAt === null) return null;
  // a subscription with one item has one period
  return typeof cancelAt === 'number' ? cancelAt : periodEnd;
}

function hasStatus({ status }: SubscriptionRecord, wanted: string | undefined): boolean {
  if (wanted === undefined) return status !== 'canceled';
  return wanted === 'all' || status === wanted || (wanted === 'ended' && status === 'canceled');
}

function subscriptionWith({ state }: Context, id: string): SubscriptionRecord {
  const subscription = state.subscriptions.get(id);
  if (!subscription) throw resourceMissing('subscription', id);
  return subscription;
}

function invoiceWith({ state }: Context, id: string) {
  const invoice = state.invoices.get(id);
  if (!invoice) throw resourceMissing('invoice', id);
  return invoice;
}
