import { Inject, Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { err, ok, type Result } from '../../platform/result';
import { BillingFailures } from '../billing.failures';
import { stripeLibrary } from './stripe-library';

/** Seconds that the timestamp of a signature may differ from now, which prevents replay attacks. */
const TOLERANCE = 300;
const TIMESTAMP = /(?:^|,)t=(\d+)(?:,|$)/;

/** Verifies the signature of webhooks (docs/specification.md, Events). */
@Injectable()
export class WebhookSignature {
  private readonly secrets: readonly string[];
  private readonly webhooks?: Stripe.Webhooks;

  constructor(
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.secrets = settings.processor.webhookSecrets;
    if (this.secrets.length > 0) this.webhooks = stripeLibrary().webhooks;
  }

  /**
   * @param text the body of the request
   * @returns the parsed payload; INVALID_SIGNATURE for any error; BILLING_UNAVAILABLE if no secret
   * is configured, so that Stripe delivers the event again
   */
  read(text: string, header: string | undefined): Result<unknown, 'BILLING_UNAVAILABLE' | 'INVALID_SIGNATURE'> {
    const { webhooks } = this;
    if (!webhooks) return err(BillingFailures.unavailable);
    const signedAt = Number(TIMESTAMP.exec(header ?? '')?.[1]);
    // The library accepts timestamps in the future.
    if (!header || !(Math.abs(this.clock.nowInSeconds() - signedAt) <= TOLERANCE))
      return err(BillingFailures.invalidSignature);
    for (const secret of this.secrets) {
      try {
        webhooks.signature!.verifyHeader(text, header, secret, TOLERANCE, undefined, this.clock.now().getTime());
        return ok(JSON.parse(text) as unknown);
      } catch {
        // Signed with another secret, or not JSON: the library throws several kinds of errors.
      }
    }
    return err(BillingFailures.invalidSignature);
  }
}
