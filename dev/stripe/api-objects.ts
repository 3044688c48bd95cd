import type { CustomerRecord, EventRecord, PortalRecord, PriceRecord, ProductRecord, SessionRecord } from './records';
import type { State } from './state';

export const API_VERSION = '2026-10-28.endive';

/** An object as the API returns it. */
export type ApiObject = { id: string; object: string } & Record<string, unknown>;

export function list(url: string, data: readonly ApiObject[], hasMore = false) {
  return { object: 'list', data, has_more: hasMore, url };
}

export function productObject({ id, created, name, description, isActive, metadata }: ProductRecord): ApiObject {
  return {
    id,
    object: 'product',
    active: isActive,
    created,
    default_price: null,
    description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  };
}

export function priceObject(price: PriceRecord): ApiObject {
  const { interval, intervalCount } = price;
  return {
    id: price.id,
    object: 'price',
    active: price.isActive,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: price.lookupKey,
    metadata: price.metadata,
    nickname: price.nickname,
    product: price.product,
    recurring: interval && {
      interval,
      interval_count: intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: interval ? 'recurring' : 'one_time',
    unit_amount: price.amount,
    unit_amount_decimal: String(price.amount),
  };
}

/** The legacy form of a price, which subscriptions still have. */
export function planObject(price: PriceRecord): ApiObject {
  return {
    id: price.id,
    object: 'plan',
    active: price.isActive,
    amount: price.amount,
    amount_decimal: String(price.amount),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.interval,
    interval_count: price.intervalCount,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

export function customerObject(customer: CustomerRecord): ApiObject {
  const { id, created, email, name, phone, description, metadata, isDeleted } = customer;
  if (isDeleted) return { id, object: 'customer', deleted: true };
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created,
    currency: null,
    default_source: null,
    delinquent: false,
    description,
    discount: null,
    email,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata,
    name,
    next_invoice_sequence: 1,
    phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}

export function sessionObject(state: State, session: SessionRecord): ApiObject {
  const { customer, status, trialDays, trialEnd } = session;
  const { amount, currency } = state.priceOf(session);
  const isFree = trialDays !== null || trialEnd !== null;
  const total = isFree ? 0 : amount * session.quantity;
  const email = session.customerEmail ?? (customer ? (state.customers.get(customer)?.email ?? null) : null);
  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: session.created,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer,
    customer_account: null,
    customer_creation: customer && status === 'open' ? null : 'always',
    customer_details:
      email || status === 'complete'
        ? {
            address: null,
            business_name: null,
            email,
            individual_name: null,
            name: null,
            phone: null,
            tax_exempt: 'none',
            tax_ids: null,
          }
        : null,
    customer_email: session.customerEmail,
    discounts: [],
    expires_at: session.expiresAt,
    integration_identifier: null,
    invoice: session.invoice,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: session.metadata,
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: session.isCardAlwaysCollected ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: status === 'complete' ? (isFree ? 'no_payment_required' : 'paid') : 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status,
    submit_type: null,
    subscription: session.subscription,
    success_url: session.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: status === 'open' ? `${state.url}/pay/${session.id}` : null,
    wallet_options: null,
  };
}

export function sessionLineObject(state: State, session: SessionRecord): ApiObject {
  const price = state.priceOf(session);
  const subtotal = price.amount * session.quantity;
  const total = session.trialDays !== null || session.trialEnd !== null ? 0 : subtotal;
  return {
    id: session.id.replace(/^cs_test/, 'li').slice(0, 24),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: state.products.get(price.product)!.name,
    metadata: null,
    price: priceObject(price),
    quantity: session.quantity,
  };
}

export function portalObject(state: State, { id, created, customer, returnUrl }: PortalRecord): ApiObject {
  return {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_local',
    created,
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: returnUrl,
    url: `${state.url}/portal/${id}`,
  };
}

export type EventObject = ApiObject & {
  type: string;
  data: { object: ApiObject; previous_attributes?: Record<string, unknown> };
};

export function eventObject(event: EventRecord): EventObject {
  return {
    id: event.id,
    object: 'event',
    api_version: API_VERSION,
    created: event.created,
    data: JSON.parse(event.data) as { object: ApiObject },
    livemode: false,
    pending_webhooks: event.delivery === 'delivered' ? 0 : 1,
    request: event.cause,
    type: event.type,
  };
}
