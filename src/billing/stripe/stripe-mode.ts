import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import type { StripeEvent } from './stripe-event';

/** Live or test: which of the processor's two worlds this service is set up for. */
@Injectable()
export class StripeMode {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Whether an event is of the world that the key opens; without a key all are. */
  isOurs({ isLive }: Pick<StripeEvent, 'isLive'>): boolean {
    const key = this.settings.processor.secretKey;
    return key === undefined || key.includes('_live_') === isLive;
  }
}
