import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { ok } from '../../platform/result';
import { nullIfMissing } from './missing-object';
import { idempotencyOf } from './request-idempotency';
import { StripeClient, type StripeResult } from './stripe-client';

/** Stripe's portal, where a customer manages the subscription. */
@Injectable()
export class StripePortal {
  private readonly returnUrl: string;

  constructor(
    private readonly stripeClient: StripeClient,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.returnUrl = `${settings.frontendUrl}/billing`;
  }

  /** @returns the URL of the portal, null if the customer was deleted; BILLING_UNAVAILABLE */
  async createSession(customerId: string): Promise<StripeResult<string | null>> {
    const params = { customer: customerId, return_url: this.returnUrl };
    const created = await this.stripeClient.call('billingPortal.sessions.create', (stripe) =>
      stripe.billingPortal.sessions.create(params, ...idempotencyOf('portal')).catch(nullIfMissing('customer')),
    );
    return created.ok ? ok(created.value && created.value.url) : created;
  }
}
