import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { err, ok, type Result } from '../../platform/result';
import { BillingFailures } from '../billing.failures';

/**
 * Seconds that a signature may be away from now, either way: an older delivery may be somebody's
 * recording.
 */
const TOLERANCE = 300;
const TIMESTAMP = /(?:^|,)t=(\d+)(?:,|$)/;

/** Tells the processor's events from everybody else's (specification, Events). */
@Injectable()
export class WebhookSignature {
  constructor(
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The payload of a delivery that is signed with one of the endpoint's secrets.
   * @param body exactly as it came
   * @returns INVALID_SIGNATURE, whatever is wrong; BILLING_UNAVAILABLE without any secret, so that
   * the processor delivers again
   */
  read(body: Buffer, header: string | undefined): Result<unknown> {
    const { webhookSecrets } = this.settings.processor;
    if (webhookSecrets.length === 0) return err(BillingFailures.unavailable);
    const signedAt = Number(TIMESTAMP.exec(header ?? '')?.[1]);
    // The library itself would take a time in the future.
    if (!header || !(Math.abs(this.clock.nowInSeconds() - signedAt) <= TOLERANCE))
      return err(BillingFailures.invalidSignature);
    for (const secret of webhookSecrets) {
      try {
        return ok(
          Stripe.webhooks.constructEvent(body, header, secret, TOLERANCE, undefined, this.clock.now().getTime()),
        );
      } catch {
        // Signed with another secret, or no JSON: the library throws errors of several kinds.
      }
    }
    return err(BillingFailures.invalidSignature);
  }
}
