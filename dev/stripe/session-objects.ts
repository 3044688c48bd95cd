import type { ApiObject } from './api-objects';
import { addressObject } from './customer-objects';
import type { Promotion } from './discounts';
import { priceObject } from './price-objects';
import type { SessionRecord } from './records';
import { sessionTotals } from './session-totals';
import type { State } from './state';

/** The API's checkout session of a record. */
export function sessionObject(state: State, session: SessionRecord): ApiObject {
  const { customer: id, status, currency, promotion } = session;
  const { subtotal, total, discount, tax } = sessionTotals(state, session);
  const customer = id === null ? undefined : state.customers.get(id);
  const email = session.customerEmail ?? customer?.email ?? null;
  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: session.allowsPromotionCodes || null,
    allowed_payment_method_types: null,
    amount_subtotal: subtotal,
    amount_total: total,
    automatic_tax: session.isTaxAutomatic
      ? { enabled: true, liability: { type: 'self' }, provider: 'stripe', status: 'complete' }
      : { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: session.isAddressRequired ? 'required' : null,
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
    customer: id,
    customer_account: null,
    customer_creation: id && status === 'open' ? null : 'always',
    customer_details:
      email || status === 'complete'
        ? {
            address: addressObject(customer),
            business_name: null,
            email,
            individual_name: null,
            name: null,
            phone: null,
            tax_exempt: 'none',
            tax_ids: customer?.taxIds ?? null,
          }
        : null,
    customer_email: session.customerEmail,
    discounts: promotion ? [promotionObject(promotion)] : [],
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
    payment_status: status === 'complete' ? (total === 0 ? 'no_payment_required' : 'paid') : 'unpaid',
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
    tax_id_collection: { enabled: session.collectsTaxId, required: 'never' },
    total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: tax },
    ui_mode: 'hosted_page',
    url: status === 'open' ? `${state.url}/pay/${session.id}` : null,
    wallet_options: null,
  };
}

/** A code that was entered, or a coupon that the application gave. */
function promotionObject({ coupon, promotionCode }: Promotion) {
  return promotionCode === null ? { coupon, promotion_code: null } : { coupon: null, promotion_code: promotionCode };
}

/** The API's line item of a checkout session. */
export function sessionLineObject(state: State, session: SessionRecord): ApiObject {
  const price = state.priceOf(session);
  const { subtotal, total, discount, tax } = sessionTotals(state, session);
  return {
    id: session.id.replace(/^cs_test/, 'li').slice(0, 24),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: discount,
    amount_subtotal: subtotal,
    amount_tax: tax,
    amount_total: total,
    currency: session.currency,
    description: state.products.get(price.product)!.name,
    metadata: null,
    price: priceObject(price),
    quantity: session.quantity,
  };
}
