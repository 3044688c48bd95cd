import { Router } from 'express';
import { pdfOf } from './invoice-pdf';
import { renderPage } from './page-renderer';
import { dayOf, moneyOf, type PageContext } from './page-views';
import type { InvoiceRecord, InvoiceTax } from './records';
import type { State } from './state';

/** The page of an invoice, and the same as a PDF. */
export function invoicePages({ state }: PageContext): Router {
  const pages = Router();
  pages.get('/invoice/:id', (request, response) => {
    const invoice = state.invoices.get(request.params.id);
    if (!invoice) return renderPage(response.status(404), 'stripe-invoice.html', {});
    return renderPage(response, 'stripe-invoice.html', { invoice: invoiceContent(state, invoice) });
  });
  pages.get('/invoice/:id/pdf', (request, response) => {
    const invoice = state.invoices.get(request.params.id);
    if (!invoice) return renderPage(response.status(404), 'stripe-invoice.html', {});
    response.type('pdf').set('Content-Disposition', `attachment; filename="${invoice.number}.pdf"`);
    return response.send(pdfOf(textOf(invoiceContent(state, invoice))));
  });
  return pages;
}

function invoiceContent(state: State, invoice: InvoiceRecord) {
  const { currency, customer, startingBalance, endingBalance } = invoice;
  const { email = null, name = null } = state.customers.get(customer) ?? {};
  const used = endingBalance - startingBalance;
  const totals = [
    { label: 'Subtotal', amount: invoice.subtotal },
    ...invoice.discounts.map(({ amount }) => ({ label: 'Discount', amount: -amount })),
    ...(invoice.tax ? [taxPart(invoice.tax)] : []),
    { label: 'Total', amount: invoice.total },
    ...(used === 0 ? [] : [{ label: 'Credit', amount: -used }]),
    { label: 'Amount due', amount: invoice.amountDue },
  ];
  return {
    id: invoice.id,
    number: invoice.number,
    status: invoice.status,
    created: dayOf(invoice.created),
    customer: name ?? email ?? customer,
    lines: invoice.lines.map(({ description, periodStart, periodEnd, amount }) => ({
      description,
      period: `${dayOf(periodStart)} to ${dayOf(periodEnd)}`,
      amount: moneyOf(amount, currency),
    })),
    totals: totals.map(({ label, amount }) => ({ label, amount: moneyOf(amount, currency) })),
  };
}

function taxPart({ percent, amount, isInclusive }: InvoiceTax) {
  return { label: `Tax ${percent} %${isInclusive ? ' (included)' : ''}`, amount };
}

function textOf({ number, status, created, customer, lines, totals }: ReturnType<typeof invoiceContent>): string[] {
  return [
    `Invoice ${number}`,
    `${created}, ${status}`,
    `For ${customer}`,
    '',
    ...lines.map(({ description, period, amount }) => `${description}, ${period}: ${amount}`),
    '',
    ...totals.map(({ label, amount }) => `${label}: ${amount}`),
  ];
}
