import { Injectable } from '@nestjs/common';
import { ok } from '../../platform/result';
import { emptyIfMissing, nullIfMissing } from './missing-object';
import { StripeClient, type StripeResult } from './stripe-client';

/** The maximum of Stripe's API. */
const PAGE = 100;

/** A payment for a subscription. Amounts are in the smallest unit of the currency. */
export interface InvoicePayment {
  readonly invoiceId: string;
  readonly amount: number;
  readonly refunded: number;
  readonly currency: string;
}

/** Refunds of subscriptions. Every call may return BILLING_UNAVAILABLE. */
@Injectable()
export class StripeRefunds {
  constructor(private readonly stripeClient: StripeClient) {}

  /** The newest payments for a subscription, also refunded ones; none if it is unknown. */
  async paymentsOf(subscription: string): Promise<StripeResult<InvoicePayment[]>> {
    const list = await this.stripeClient.call('invoices.list', (stripe) =>
      stripe.invoices.list({ subscription, status: 'paid', limit: PAGE }).catch(emptyIfMissing('subscription')),
    );
    if (!list.ok) return list;
    const payments = list.value.data.map((invoice) => ({
      invoiceId: invoice.id,
      amount: invoice.amount_paid,
      refunded: invoice.post_payment_credit_notes_amount,
      currency: invoice.currency,
    }));
    return ok(payments.filter(({ amount }) => amount > 0));
  }

  /** Refunds what is left of a payment, with a credit note for its invoice. Idempotent. */
  async refund({ invoiceId, amount, refunded }: InvoicePayment): Promise<StripeResult> {
    const left = amount - refunded;
    if (left <= 0) return ok();
    const params = { invoice: invoiceId, amount: left, refund_amount: left };
    const created = await this.stripeClient.call('creditNotes.create', (stripe) =>
      stripe.creditNotes
        .create(params, { idempotencyKey: `refund-${invoiceId}-${refunded}` })
        .catch(nullIfMissing('invoice')),
    );
    return created.ok ? ok() : created;
  }
}
