import { Inject, Injectable } from '@nestjs/common';
import type { Store } from 'express-rate-limit';
import { SETTINGS, type Settings } from '../../config/settings';
import { hit, RateLimitStores } from '../../http/rate-limits/rate-limit-stores';
import { RateLimitMetrics } from '../../http/rate-limits/rate-limit-metrics';
import { addressKey } from '../../platform/client-address';
import { MINUTE, secondsUntil } from '../../platform/clock';
import { currentContext } from '../../platform/observability/request-context';

/** Unknown keys that are looked up per minute and client address. */
const MAX_UNKNOWN = 60;

/**
 * Limits how many keys of a client address are looked up in vain: anyone can compute a checksum,
 * and keys are looked up before the limit of requests counts by caller.
 */
@Injectable()
export class UnknownKeyLimit {
  private readonly unknown: Store;

  constructor(
    stores: RateLimitStores,
    private readonly metrics: RateLimitMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.unknown = stores.create('unknown-keys', MINUTE * 1000);
  }

  /** Counts a key that does not exist. */
  async count(): Promise<void> {
    await hit(this.unknown, addressKey(currentContext().ip));
  }

  /** Seconds until keys of this address are looked up again; 0: now, and without a counter. */
  async secondsToWait(): Promise<number> {
    if (this.settings.rateLimitPerMinute === 0) return 0;
    const counted = await Promise.resolve(this.unknown.get?.(addressKey(currentContext().ip))).catch(() => undefined);
    if (!counted || counted.totalHits < MAX_UNKNOWN) return 0;
    this.metrics.count('unknown-keys');
    return secondsUntil(counted.resetTime, MINUTE);
  }
}
