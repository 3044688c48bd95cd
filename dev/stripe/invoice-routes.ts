import type Stripe from 'stripe';
import { invoiceObject } from './invoice-objects';
import { previewedInvoice } from './invoice-preview';
import { listPage, type ListParams } from './pagination';
import type { InvoiceRecord, SchedulePhase, ScheduleRecord } from './records';
import type { State } from './state';
import { route, type Context, type Routes } from './routes';
import { phasesOf } from './schedule-parameters';
import { promotionsOf } from './subscription-parameters';
import { resourceMissing, StripeError } from './stripe-error';

/** Invoices, and previews of them. */
export const invoiceRoutes: Routes = {
  'POST /v1/invoices/create_preview': route<Stripe.InvoiceCreatePreviewParams>(({ state }, params) => {
    const { customer, subscription_details: details = {}, schedule_details: planned } = params;
    const schedule = params.schedule === undefined ? undefined : state.schedules.get(params.schedule);
    if (params.schedule !== undefined && !schedule)
      throw resourceMissing('subscription_schedule', params.schedule, 'schedule');
    const id = schedule?.subscription ?? params.subscription;
    if (id === undefined)
      throw new StripeError('This stand-in previews the invoices of a subscription or of a schedule.', {
        param: 'subscription',
      });
    const subscription = state.subscriptions.get(id);
    if (!subscription || (customer !== undefined && customer !== subscription.customer))
      throw resourceMissing('subscription', id, 'subscription');
    const attached = schedule ?? state.schedules.get(subscription.schedule ?? '');
    const phases = attached ? laterPhases(state, attached, planned) : [];
    const promotions = promotionsOf(state, subscription, params.discounts);
    return invoiceObject(state, previewedInvoice(state, subscription, { details, phases, promotions }));
  }),
  'GET /v1/invoices/{id}': route((context, _params, id) => invoiceObject(context.state, invoiceWith(context, id))),
  'POST /v1/invoices/{id}/pay': route((context, _params, id) => {
    const invoice = invoiceWith(context, id);
    context.actions.payInvoice(invoice);
    return invoiceObject(context.state, invoice);
  }),
  'POST /v1/credit_notes': route<Stripe.CreditNoteCreateParams>((context, params) => {
    const { invoice: id, amount = 0, refund_amount: refund } = params;
    const invoice = context.state.invoices.get(id);
    if (!invoice) throw resourceMissing('invoice', id, 'invoice');
    const { refunded = 0, amountDue, status } = invoice;
    if (status !== 'paid' || amount < 1 || refund !== amount)
      throw new StripeError('This stand-in refunds an amount of a paid invoice: give `amount` and `refund_amount`.');
    if (amount > amountDue - refunded)
      throw new StripeError('The amount of the credit note is more than what is left of the payment.', {
        param: 'amount',
      });
    invoice.refunded = refunded + amount;
    return { id: context.state.random.id('cn', 24), object: 'credit_note', invoice: id, amount };
  }),
  'GET /v1/invoices': route<ListParams & { status?: string; subscription?: string }>(
    ({ state }, { status, subscription, ...params }) =>
      listPage(
        {
          url: '/v1/invoices',
          name: 'invoice',
          table: state.invoices,
          customers: state.customers,
          render: (row) => invoiceObject(state, row),
        },
        params,
        (row) =>
          (status === undefined || row.status === status) &&
          (subscription === undefined || row.subscription === subscription),
      ),
  ),
};

/** The phases after the current one, as they are or as they are planned to be. */
function laterPhases(
  state: State,
  schedule: ScheduleRecord,
  planned: Stripe.InvoiceCreatePreviewParams.ScheduleDetails | undefined,
): readonly SchedulePhase[] {
  if (planned?.phases) return phasesOf(state, schedule, planned.phases).slice(1);
  return schedule.phases.slice(schedule.phase + 1);
}

function invoiceWith({ state }: Context, id: string): InvoiceRecord {
  const invoice = state.invoices.get(id);
  if (!invoice) throw resourceMissing('invoice', id);
  return invoice;
}
