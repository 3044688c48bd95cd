import type Stripe from 'stripe';
import { DAY } from './billing-period';
import { listPage, type ListParams } from './pagination';
import { promotionOfSession, refuseMissingUpdates } from './checkout-parameters';
import { amountsIn } from './price-amounts';
import type { MissingPaymentMethod, SessionRecord } from './records';
import type { State } from './state';
import { resourceMissing, StripeError } from './stripe-error';
import { list, portalObject } from './api-objects';
import { sessionLineObject, sessionObject } from './session-objects';
import { mergedMetadata, route, type Context, type Routes } from './routes';

/** Checkout sessions and billing portal sessions. */
export const checkoutRoutes: Routes = {
  'POST /v1/checkout/sessions': route<Stripe.Checkout.SessionCreateParams>(({ state }, params) => {
    const created = state.seconds();
    const { line_items: [line] = [], subscription_data: data = {} } = params;
    if (params.mode !== 'subscription')
      throw new StripeError('This stand-in sells subscriptions only: mode must be `subscription`.', { param: 'mode' });
    if (!line?.price)
      throw new StripeError('Missing required param: line_items[0][price].', {
        code: 'parameter_missing',
        param: 'line_items[0][price]',
      });
    if (!line.quantity)
      throw new StripeError('Quantity is required. Add `quantity` to `line_items[0]`', { param: 'line_items[0]' });
    const price = state.prices.get(line.price);
    if (!price) throw resourceMissing('price', line.price, 'line_items[0][price]');
    if (!price.interval)
      throw new StripeError('You must provide at least one recurring price in `subscription` mode.', {
        param: 'line_items',
      });
    if (!price.isActive)
      throw new StripeError('The price specified is inactive. This field only accepts active prices.', {
        param: 'line_items[0][price]',
      });
    const currency = params.currency ?? price.currency;
    amountsIn(price, currency);
    refuseNoUrl('success_url', params.success_url);
    if (params.cancel_url !== undefined) refuseNoUrl('cancel_url', params.cancel_url);
    if (params.customer !== undefined) {
      const customer = state.customers.get(params.customer);
      if (!customer || customer.isDeleted) throw resourceMissing('customer', params.customer, 'customer');
      refuseOtherCurrency(state, customer.id, currency);
      if (params.customer_email !== undefined) {
        throw new StripeError('You may only specify one of these parameters: customer, customer_email.', {
          param: 'customer_email',
        });
      }
    }
    if ((data.trial_period_days ?? 1) < 1)
      throw new StripeError('The minimum number of trial period days is 1.', {
        param: 'subscription_data[trial_period_days]',
      });
    if (data.trial_end !== undefined && data.trial_end < created + 2 * DAY) {
      throw new StripeError('The `trial_end` date has to be at least 2 days in the future.', {
        param: 'subscription_data[trial_end]',
      });
    }
    refuseMissingUpdates(state, params);
    const promotion = promotionOfSession(state, params, currency);
    const missing = data.trial_settings?.end_behavior.missing_payment_method as MissingPaymentMethod | undefined;
    const session = state.sessions.add({
      id: state.random.id('cs_test', 58),
      created,
      expiresAt: params.expires_at ?? created + DAY,
      price: price.id,
      quantity: line.quantity,
      currency,
      trialDays: data.trial_period_days ?? null,
      trialEnd: data.trial_end ?? null,
      missingPaymentMethod: missing ?? 'create_invoice',
      metadata: mergedMetadata({}, params.metadata),
      subscriptionMetadata: mergedMetadata({}, data.metadata),
      clientReferenceId: params.client_reference_id ?? null,
      customerEmail: params.customer_email ?? null,
      isCardAlwaysCollected: params.payment_method_collection !== 'if_required',
      successUrl: params.success_url!,
      cancelUrl: params.cancel_url ?? null,
      allowsPromotionCodes: params.allow_promotion_codes ?? false,
      collectsTaxId: params.tax_id_collection?.enabled ?? false,
      isTaxAutomatic: params.automatic_tax?.enabled ?? false,
      isAddressRequired: params.billing_address_collection === 'required',
      promotion,
      status: 'open',
      customer: params.customer ?? null,
      subscription: null,
      invoice: null,
    });
    state.scheduler.schedule(session.expiresAt, session);
    return sessionObject(state, session);
  }),
  'GET /v1/checkout/sessions/{id}': route((context, _params, id) =>
    sessionObject(context.state, sessionWith(context, id)),
  ),
  'POST /v1/checkout/sessions/{id}/expire': route((context, _params, id) => {
    const session = sessionWith(context, id);
    if (session.status !== 'open') {
      const message =
        'Only Checkout Sessions with a status in ["open"] can be expired. ' +
        `This Checkout Session has a status of ${session.status}.`;
      throw new StripeError(message, { param: 'session' });
    }
    context.lifecycle.expireIfOpen(session, context.state.seconds());
    return sessionObject(context.state, session);
  }),
  'GET /v1/checkout/sessions/{id}/line_items': route((context, _params, id) =>
    list(`/v1/checkout/sessions/${id}/line_items`, [sessionLineObject(context.state, sessionWith(context, id))]),
  ),
  'GET /v1/checkout/sessions': route<ListParams & { status?: string; subscription?: string; payment_intent?: string }>(
    ({ state }, { status, subscription, payment_intent: paymentIntent, ...params }) =>
      listPage(
        {
          url: '/v1/checkout/sessions',
          name: 'checkout.session',
          table: state.sessions,
          customers: state.customers,
          render: (session) => sessionObject(state, session),
        },
        params,
        (session) =>
          (status === undefined || session.status === status) &&
          (subscription === undefined || session.subscription === subscription) &&
          paymentIntent === undefined, // sessions in subscription mode have none
      ),
  ),

  'POST /v1/billing_portal/sessions': route<Stripe.BillingPortal.SessionCreateParams>(({ state }, params) => {
    if (params.customer === undefined)
      throw new StripeError('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
    const customer = state.customers.get(params.customer);
    if (!customer || customer.isDeleted) throw resourceMissing('customer', params.customer, 'customer');
    if (params.return_url !== undefined) refuseNoUrl('return_url', params.return_url);
    const visit = {
      id: state.random.id('bps', 24),
      created: state.seconds(),
      customer: customer.id,
      returnUrl: params.return_url ?? null,
    };
    return portalObject(state, state.portals.add(visit));
  }),
};

function sessionWith({ state }: Context, id: string): SessionRecord {
  const session = state.sessions.get(id);
  if (!session) throw resourceMissing('checkout.session', id);
  return session;
}

/** A customer pays in one currency at a time. */
function refuseOtherCurrency(state: State, customer: string, currency: string): void {
  const other = state.subscriptions
    .of(customer)
    .find((subscription) => subscription.status !== 'canceled' && subscription.currency !== currency);
  if (!other) return;
  const message =
    'You cannot combine currencies on a single customer. ' +
    `This customer has an active subscription with currency ${other.currency}.`;
  throw new StripeError(message, { param: 'currency' });
}

function refuseNoUrl(param: string, address: string | undefined): void {
  if (address === undefined)
    throw new StripeError(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new StripeError('Not a valid URL', { code: 'url_invalid', param });
}
