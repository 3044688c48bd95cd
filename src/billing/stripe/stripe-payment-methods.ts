import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { ok } from '../../platform/result';
import { nullIfMissing } from './missing-object';
import { StripeClient, type StripeResult } from './stripe-client';

/** A payment method as its owner recognizes it. */
export interface PaymentMethodOnFile {
  /** Such as `visa`; of other methods than cards their type, such as `sepa_debit`. */
  readonly brand: string;
  readonly last4: string | null;
  readonly expMonth: number | null;
  readonly expYear: number | null;
}

/** The payment methods that Stripe would charge. Every call may return BILLING_UNAVAILABLE. */
@Injectable()
export class StripePaymentMethods {
  constructor(private readonly stripeClient: StripeClient) {}

  /** The method of the subscription, else that of the customer; null: there is none. */
  async find(customerId: string, subscriptionId: string | null): Promise<StripeResult<PaymentMethodOnFile | null>> {
    const own = await this.ofSubscription(subscriptionId);
    if (!own.ok || own.value) return own;
    const customer = await this.stripeClient.call('customers.retrieve', (stripe) =>
      stripe.customers
        .retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] })
        .catch(nullIfMissing()),
    );
    if (!customer.ok) return customer;
    const found = customer.value;
    return ok(found && !found.deleted ? onFile(found.invoice_settings.default_payment_method) : null);
  }

  private async ofSubscription(id: string | null): Promise<StripeResult<PaymentMethodOnFile | null>> {
    if (!id) return ok(null);
    const found = await this.stripeClient.call('subscriptions.retrieve', (stripe) =>
      stripe.subscriptions.retrieve(id, { expand: ['default_payment_method'] }).catch(nullIfMissing()),
    );
    return found.ok ? ok(found.value && onFile(found.value.default_payment_method)) : found;
  }
}

function onFile(method: string | Stripe.PaymentMethod | null): PaymentMethodOnFile | null {
  if (!method || typeof method === 'string') return null;
  const { type, card, sepa_debit } = method;
  if (card) return { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year };
  return { brand: type, last4: sepa_debit?.last4 ?? null, expMonth: null, expYear: null };
}
