import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import type { StripeEvent } from './stripe-event';

/** The Stripe account and mode, live or test, that the service is configured for. */
@Injectable()
export class StripeMode {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Whether an event is of the own account, not of a connected one, and has the mode of the secret
   * key. Without a key, both modes are accepted.
   */
  isOurs({ isLive, account }: Pick<StripeEvent, 'isLive' | 'account'>): boolean {
    if (account !== null) return false;
    const key = this.settings.processor.secretKey;
    return key === undefined || key.includes('_live_') === isLive;
  }
}
