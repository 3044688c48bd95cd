import { Inject, Injectable } from '@nestjs/common';
import type { Store } from 'express-rate-limit';
import { SETTINGS, type Settings } from '../../config/settings';
import { hitAll, RateLimitStores } from '../../http/rate-limits/rate-limit-stores';
import { RateLimitMetrics } from '../../http/rate-limits/rate-limit-metrics';
import { networksAround } from '../../platform/client-address';
import { MINUTE, secondsUntil } from '../../platform/clock';
import { currentContext } from '../../platform/observability/request-context';

/** Unknown keys looked up per minute and client address. Networks around it have more. */
const MAX_UNKNOWN = 60;

/**
 * Limits how many unknown keys of a client address are looked up: anyone can compute a checksum,
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

  /**
   * Counts a key before it is looked up, so that many at the same time cannot exceed the limit.
   * @returns 0, also without a counter; else the seconds until keys of this address are looked up
   */
  async begin(): Promise<number> {
    if (this.settings.rateLimitPerMinute === 0) return 0;
    const counted = await hitAll(this.unknown, networksAround(currentContext().ip), MAX_UNKNOWN);
    if (!counted?.isOver) return 0;
    this.metrics.count('unknown-keys');
    return secondsUntil(counted.resetTime, MINUTE);
  }

  /** The key exists: it does not count. */
  async forget(): Promise<void> {
    const networks = networksAround(currentContext().ip);
    await Promise.allSettled(networks.map(async ({ key }) => this.unknown.decrement(key)));
  }
}
