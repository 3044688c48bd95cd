import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { ok } from '../../platform/result';
import { emptyIfMissing, nullIfMissing } from './missing-object';
import { StripeClient, type StripeResult } from './stripe-client';

/** An invoice as its customer sees it. */
export interface CustomerInvoice {
  readonly id: string;
  readonly number: string | null;
  readonly date: Date;
  /** The total in the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  /** Stripe's page of the invoice. */
  readonly hostedUrl: string | null;
  readonly pdfUrl: string | null;
}

/** Stripe's invoices. */
@Injectable()
export class StripeInvoices {
  constructor(private readonly stripeClient: StripeClient) {}

  /**
   * A page of the invoices of a customer, newest first. Drafts are left out, because their amounts
   * may still change. None if Stripe does not know the customer. BILLING_UNAVAILABLE.
   * @param after the last invoice of the page before
   * @returns null for an `after` that Stripe does not know
   */
  async list(
    customerId: string,
    after: string | undefined,
    limit: number,
  ): Promise<StripeResult<{ readonly items: CustomerInvoice[]; readonly nextCursor: string | null } | null>> {
    const list = await this.stripeClient.call('invoices.list', (stripe) =>
      stripe.invoices
        .list({ customer: customerId, limit, ...(after ? { starting_after: after } : {}) })
        .catch(emptyIfMissing('customer'))
        .catch(nullIfMissing('starting_after')),
    );
    if (!list.ok || !list.value) return list as StripeResult<null>;
    const { data, has_more } = list.value;
    const items = data.filter(({ status }) => status !== 'draft').map(toInvoice);
    return ok({ items, nextCursor: has_more ? (data.at(-1)?.id ?? null) : null });
  }
}

const toInvoice = (invoice: Stripe.Invoice): CustomerInvoice => ({
  id: invoice.id,
  number: invoice.number,
  date: new Date(invoice.created * 1000),
  amount: invoice.total,
  currency: invoice.currency,
  status: invoice.status ?? 'open',
  hostedUrl: invoice.hosted_invoice_url ?? null,
  pdfUrl: invoice.invoice_pdf ?? null,
});
