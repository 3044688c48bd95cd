import type { InvoiceRecord, SubscriptionRecord } from './records';
import { list, planObject, priceObject, type ApiObject } from './api-objects';
import type { State } from './state';

const itemIdOf = (subscription: string) => subscription.replace(/^sub_/, 'si_');
const inDollars = (amount: number) => `$${(amount / 100).toFixed(2)}`;

export function subscriptionObject(state: State, subscription: SubscriptionRecord): ApiObject {
  const { id, created, quantity, pauseCollection } = subscription;
  const record = state.priceOf(subscription);
  const [price, plan] = [priceObject(record), planObject(record)];
  const item: ApiObject = {
    id: itemIdOf(id),
    object: 'subscription_item',
    billing_thresholds: null,
    created,
    current_period_end: subscription.periodEnd,
    current_period_start: subscription.periodStart,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan,
    price,
    quantity,
    subscription: id,
    tax_rates: [],
  };
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: subscription.anchor,
    billing_cycle_anchor_config: null,
    billing_mode: state.isBillingClassic ? { flexible: null, type: 'classic' } : { flexible: {}, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: subscription.cancelAt,
    cancel_at_period_end: subscription.isCancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: subscription.cancellationReason,
    },
    collection_method: 'charge_automatically',
    created,
    currency: record.currency,
    customer: subscription.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: subscription.endedAt,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: list(`/v1/subscription_items?subscription=${id}`, [item]),
    latest_invoice: subscription.latestInvoice,
    livemode: false,
    managed_payments: null,
    metadata: subscription.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: pauseCollection && { behavior: pauseCollection.behavior, resumes_at: pauseCollection.resumesAt },
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    plan, // undocumented, but Stripe sends it
    quantity,
    schedule: null,
    start_date: created,
    status: subscription.status,
    test_clock: null,
    transfer_data: null,
    trial_end: subscription.trialEnd,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: subscription.trialStart,
  };
}

export function invoiceObject(state: State, invoice: InvoiceRecord): ApiObject {
  const { id, created, amount, metadata, status, attempts } = invoice;
  const { currency } = state.priceOf(invoice);
  const isPaid = status === 'paid';
  const customer = state.customers.get(invoice.customer);
  const finalizedAt = status === 'draft' ? null : created;
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: null,
    account_tax_ids: null,
    amount_due: amount,
    amount_overpaid: 0,
    amount_paid: isPaid ? amount : 0,
    amount_remaining: isPaid ? 0 : amount,
    amount_shipping: 0,
    application: null,
    attempt_count: attempts,
    attempted: isPaid || attempts > 0,
    auto_advance: status === 'open' && invoice.nextAttempt !== null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: invoice.reason,
    collection_method: 'charge_automatically',
    created,
    currency,
    custom_fields: null,
    customer: invoice.customer,
    customer_account: null,
    customer_address: null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: customer?.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: finalizedAt,
    ending_balance: finalizedAt === null ? null : 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: list(`/v1/invoices/${id}/lines`, [invoiceLineObject(state, invoice)]),
    livemode: false,
    metadata: {},
    next_payment_attempt: invoice.nextAttempt,
    number: invoice.number,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata, subscription: invoice.subscription },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: created,
    period_start: created,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status,
    status_transitions: {
      finalized_at: finalizedAt,
      marked_uncollectible_at: status === 'uncollectible' ? created : null,
      paid_at: invoice.paidAt,
      voided_at: status === 'void' ? created : null,
    },
    subtotal: amount,
    subtotal_excluding_tax: amount,
    test_clock: null,
    total: amount,
    total_discount_amounts: [],
    total_excluding_tax: amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: created,
  };
}

function invoiceLineObject(state: State, invoice: InvoiceRecord): ApiObject {
  const { id, amount, quantity, subscription } = invoice;
  const price = state.priceOf(invoice);
  const name = state.products.get(price.product)!.name;
  return {
    id: id.replace(/^in_/, 'il_'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description:
      amount === 0
        ? `Trial period for ${name}`
        : `${quantity} × ${name} (at ${inDollars(price.amount)} / ${price.interval})`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: id,
    livemode: false,
    metadata: invoice.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription,
        subscription_item: itemIdOf(subscription),
      },
      type: 'subscription_item_details',
    },
    period: { end: invoice.periodEnd, start: invoice.periodStart },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: String(amount === 0 ? 0 : price.amount),
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription,
    subtotal: amount,
    taxes: [],
  };
}
