import { list, type ApiObject } from './api-objects';
import { itemIdOf } from './billing-objects';
import { amountsIn } from './price-amounts';
import { addressObject } from './customer-objects';
import type { InvoiceLine, InvoiceRecord, InvoiceTax } from './records';
import type { State } from './state';

/** The API's invoice of a record. */
export function invoiceObject(state: State, invoice: InvoiceRecord): ApiObject {
  const { id, created, metadata, status, attempts, currency, subtotal, total, amountDue, tax } = invoice;
  const isPaid = status === 'paid';
  const customer = state.customers.get(invoice.customer);
  const finalizedAt = status === 'draft' ? null : created;
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: null,
    account_tax_ids: null,
    amount_due: amountDue,
    amount_overpaid: 0,
    amount_paid: isPaid ? amountDue : 0,
    amount_remaining: isPaid ? 0 : amountDue,
    amount_shipping: 0,
    application: null,
    attempt_count: attempts,
    attempted: isPaid || attempts > 0,
    auto_advance: status === 'open' && invoice.nextAttempt !== null,
    automatic_tax: automaticTax(tax !== null),
    automatically_finalizes_at: null,
    billing_reason: invoice.reason,
    collection_method: 'charge_automatically',
    created,
    currency,
    custom_fields: null,
    customer: invoice.customer,
    customer_account: null,
    customer_address: addressObject(customer),
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: customer?.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: customer?.taxIds ?? [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: invoice.discounts.map((discount) => discount.id),
    due_date: null,
    effective_at: finalizedAt,
    ending_balance: finalizedAt === null ? null : invoice.endingBalance,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: finalizedAt === null ? null : `${state.url}/invoice/${id}`,
    invoice_pdf: finalizedAt === null ? null : `${state.url}/invoice/${id}/pdf`,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: list(`/v1/invoices/${id}/lines`, lineObjects(state, invoice)),
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
    post_payment_credit_notes_amount: invoice.refunded ?? 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: invoice.startingBalance,
    statement_descriptor: null,
    status,
    status_transitions: {
      finalized_at: finalizedAt,
      marked_uncollectible_at: status === 'uncollectible' ? created : null,
      paid_at: invoice.paidAt,
      voided_at: status === 'void' ? created : null,
    },
    subtotal,
    subtotal_excluding_tax: subtotal - (tax?.isInclusive ? tax.amount : 0),
    test_clock: null,
    total,
    total_discount_amounts: invoice.discounts.map((discount) => ({ amount: discount.amount, discount: discount.id })),
    total_excluding_tax: total - (tax?.amount ?? 0),
    total_pretax_credit_amounts: [],
    total_taxes: tax ? [taxObject(tax)] : [],
    webhooks_delivered_at: created,
  };
}

/** Automatic tax is calculated at once. */
function automaticTax(enabled: boolean) {
  const calculated = { liability: { type: 'self' }, provider: 'stripe', status: 'complete' } as const;
  return {
    disabled_reason: null,
    enabled,
    ...(enabled ? calculated : { liability: null, provider: null, status: null }),
  };
}

function taxObject({ amount, isInclusive, taxable, percent }: InvoiceTax) {
  return {
    amount,
    tax_behavior: isInclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: `txr_local${percent}` },
    taxability_reason: 'standard_rated',
    taxable_amount: taxable,
    type: 'tax_rate_details',
  };
}

/** The lines of an invoice as the API returns them. */
export function lineObjects(state: State, invoice: InvoiceRecord): ApiObject[] {
  return invoice.lines.map((line, index) => lineObject(state, invoice, line, index));
}

function lineObject(state: State, invoice: InvoiceRecord, line: InvoiceLine, index: number): ApiObject {
  const { currency, subscription, metadata } = invoice;
  const { amount, quantity, isProration, description, periodStart, periodEnd } = line;
  const price = state.priceOf(line);
  const { unitAmount } = amountsIn(price, currency);
  return {
    id: `${invoice.id.replace(/(^|_)in_/, '$1il_')}${index || ''}`,
    object: 'line_item',
    amount,
    currency,
    description,
    discount_amounts: [],
    discountable: !isProration,
    discounts: [],
    invoice: invoice.id,
    livemode: false,
    metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: isProration,
        proration_details: { credited_items: null },
        subscription,
        subscription_item: itemIdOf(subscription),
      },
      type: 'subscription_item_details',
    },
    period: { end: periodEnd, start: periodStart },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: amount === 0 ? '0' : unitAmount === null ? null : String(unitAmount),
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription,
    subtotal: amount,
    taxes: [],
  };
}
