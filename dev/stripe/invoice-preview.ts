import type Stripe from 'stripe';
import { endOfPeriod } from './billing-period';
import { periodLine } from './invoice-lines';
import { termsOf } from './invoice-terms';
import { invoiceTotals } from './invoice-totals';
import type { Promotion } from './discounts';
import { plannedChange, type PlannedChange } from './subscription-change';
import type { InvoiceRecord, SchedulePhase, SubscriptionRecord } from './records';
import type { State } from './state';
import { StripeError } from './stripe-error';
import { changeOf } from './subscription-parameters';

/** The changes that a preview includes. */
export interface PreviewOptions {
  readonly details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails;
  /** Those of the subscription's schedule after the current one. */
  readonly phases: readonly SchedulePhase[];
  /** Instead of the subscription's discounts. */
  readonly promotions?: readonly Promotion[];
}

/**
 * The invoice that a subscription would have next, with the changes of `details`: at once, if they
 * are charged at once, otherwise at the end of the period.
 * @throws a StripeError if there will be none
 */
export function previewedInvoice(
  state: State,
  subscription: SubscriptionRecord,
  { details, phases, promotions }: PreviewOptions,
): InvoiceRecord {
  const at = state.seconds();
  const params = { ...details, metadata: undefined } as Parameters<typeof changeOf>[2];
  const change = changeOf(state, subscription, params);
  const planned = plannedChange(state, subscription, change, at);
  const invoice = invoiceOf(state, planned, details, phases, at);
  if (!promotions) return invoice;
  const discounts = promotions.map(({ coupon }) => ({ id: 'di_preview', coupon: state.coupons.get(coupon)! }));
  return { ...invoice, ...invoiceTotals(invoice.lines, { ...termsOf(state, planned.after, at), discounts }) };
}

function invoiceOf(
  state: State,
  planned: PlannedChange,
  details: PreviewOptions['details'],
  phases: readonly SchedulePhase[],
  at: number,
): InvoiceRecord {
  if (details.trial_end === 'now' && planned.after.status === 'trialing')
    return invoiceNow(state, endedTrial(state, planned, at), at);
  return planned.isInvoiced ? invoiceNow(state, planned, at) : upcomingInvoice(state, planned.after, phases);
}

function invoiceNow(state: State, { after, isNewPeriod }: PlannedChange, at: number): InvoiceRecord {
  return previewOf(state, after, isNewPeriod ? after : undefined, at);
}

/** The subscription as it is when its trial ends now. */
function endedTrial(state: State, { after }: PlannedChange, at: number): PlannedChange {
  const periodEnd = endOfPeriod(at, at, state.priceOf(after));
  const active = { ...after, status: 'active', anchor: at, periodStart: at, periodEnd } as const;
  return { after: active, isNewPeriod: true, isInvoiced: true };
}

function upcomingInvoice(state: State, after: SubscriptionRecord, phases: readonly SchedulePhase[]): InvoiceRecord {
  const { status, cancelAt, periodEnd: periodStart, anchor, customer } = after;
  if (status === 'canceled' || status === 'paused' || (cancelAt !== null && cancelAt <= periodStart))
    throw new StripeError(`No upcoming invoices for customer: ${customer}`, {
      code: 'invoice_upcoming_none',
      status: 404,
    });
  const phase = phases.findLast(({ start }) => start <= periodStart);
  const { price, quantity } = phase ?? after;
  const next = { ...after, price, quantity, status: 'active', periodStart } as const;
  const periodEnd = endOfPeriod(anchor, periodStart, state.priceOf(next));
  return previewOf(state, after, { ...next, periodEnd }, periodStart);
}

/** @param period the subscription in the period that is charged, if one is */
function previewOf(
  state: State,
  subscription: SubscriptionRecord,
  period: SubscriptionRecord | undefined,
  at: number,
): InvoiceRecord {
  const lines = [...subscription.prorations, ...(period ? [periodLine(state, period)] : [])];
  const customer = state.customers.get(subscription.customer)!;
  return {
    id: `upcoming_${state.random.id('in', 24)}`,
    created: at,
    number: null,
    customer: customer.id,
    subscription: subscription.id,
    currency: subscription.currency,
    lines,
    ...invoiceTotals(lines, termsOf(state, subscription, at)),
    reason: 'upcoming',
    metadata: subscription.metadata,
    status: 'draft',
    attempts: 0,
    nextAttempt: null,
    paidAt: null,
  };
}
