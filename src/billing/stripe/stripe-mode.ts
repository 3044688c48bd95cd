import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import type { StripeEvent } from './stripe-event';

/** The Stripe mode, live or test, that the service is configured for. */
@Injectable()
export class StripeMode {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Whether an event has the mode of the secret key. Without a key, every event is accepted. */
  isOurs({ isLive }: Pick<StripeEvent, 'isLive'>): boolean {
    const key = this.settings.processor.secretKey;
    return key === undefined || key.includes('_live_') === isLive;
  }
}
