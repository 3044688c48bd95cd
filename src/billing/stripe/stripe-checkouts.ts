import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { err, ok, type Result } from '../../platform/result';
import { BillingFailures } from '../billing.failures';
import { offerOf, sessionParamsOf, type CheckoutOrder } from './checkout-order';
import { idempotencyOf } from './request-idempotency';
import { emptyIfMissing, nullIfMissing } from './missing-object';
import { idIn } from './stripe-fields';
import { StripeClient, type StripeResult } from './stripe-client';
import { stripeLibrary } from './stripe-library';

/** The maximum of Stripe's API. */
const PAGE = 100;

/** Stripe names the parameter of most refusals; of others only the message says what is wrong. */
const isAbout = (error: unknown, parameter: string, text: RegExp): boolean =>
  error instanceof stripeLibrary().errors.StripeInvalidRequestError &&
  (error.param?.startsWith(parameter) === true || text.test(error.message));

/** Null if a session cannot be expired because it is not open. */
function nullIfNotOpen(error: unknown): null {
  if (isAbout(error, 'session', /can be expired/i)) return null;
  throw error;
}

/** The refusals that the customer can avoid. */
const REFUSALS = [
  [
    BillingFailures.promotionCodeRefused,
    ({ promotionCodeId }: CheckoutOrder, error: unknown) =>
      promotionCodeId !== undefined && isAbout(error, 'discounts', /promotion code|coupon/i),
  ],
  [
    BillingFailures.currencyRefused,
    (_order: CheckoutOrder, error: unknown) => isAbout(error, 'currency', /combine currencies/i),
  ],
] as const;

/** A checkout session that is neither completed nor expired. */
export interface OpenCheckout {
  readonly id: string;
  readonly url: string;
  /** The offer, as `offerOf` writes it. */
  readonly offer: string | undefined;
  /** One whose first payment failed, in older accounts; later ones have none before the payment. */
  readonly subscriptionId: string | null;
}

/**
 * Stripe's checkout sessions (docs/specification.md, Billing). Every call may return
 * BILLING_UNAVAILABLE.
 */
@Injectable()
export class StripeCheckouts {
  private readonly billingUrl: string;
  private readonly page: Settings['processor']['checkout'];

  constructor(
    private readonly stripeClient: StripeClient,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.billingUrl = `${settings.frontendUrl}/billing`;
    this.page = settings.processor.checkout;
  }

  /** Identifies what a session sells. */
  offerOf(order: CheckoutOrder): string {
    return offerOf(order, this.page);
  }

  /**
   * VALIDATION_ERROR if Stripe refuses the promotion code, for example to a customer who has paid,
   * or the currency.
   * @returns the URL of the payment page; null if the customer does not exist or was deleted
   */
  async create(order: CheckoutOrder): Promise<Result<string | null, 'BILLING_UNAVAILABLE' | 'VALIDATION_ERROR'>> {
    let refusal: (typeof REFUSALS)[number][0] | undefined;
    const params = sessionParamsOf(order, this.billingUrl, this.page);
    const created = await this.stripeClient.call('checkout.sessions.create', (stripe) =>
      stripe.checkout.sessions.create(params, ...idempotencyOf(this.offerOf(order))).catch((error: unknown) => {
        refusal = REFUSALS.find(([, isReason]) => isReason(order, error))?.[0];
        return refusal ? null : nullIfMissing('customer')(error);
      }),
    );
    if (refusal) return err(refusal);
    return created.ok ? ok(created.value && created.value.url) : created;
  }

  /** The open checkouts of a customer that this service has created; none if it is unknown. */
  async listOpen(customerId: string): Promise<StripeResult<OpenCheckout[]>> {
    const list = await this.stripeClient.call('checkout.sessions.list', (stripe) =>
      stripe.checkout.sessions
        .list({ customer: customerId, status: 'open', limit: PAGE })
        .catch(emptyIfMissing('customer')),
    );
    if (!list.ok) return list;
    return ok(
      list.value.data.flatMap(({ id, url, metadata, subscription }) =>
        url && metadata?.tenantId ? [{ id, url, offer: metadata.offer, subscriptionId: idIn(subscription) }] : [],
      ),
    );
  }

  /** @returns false if it was completed, expired or deleted meanwhile */
  async expire(id: string): Promise<StripeResult<boolean>> {
    const expired = await this.stripeClient.call('checkout.sessions.expire', (stripe) =>
      stripe.checkout.sessions.expire(id).catch(nullIfNotOpen).catch(nullIfMissing()),
    );
    return expired.ok ? ok(expired.value !== null) : expired;
  }
}
