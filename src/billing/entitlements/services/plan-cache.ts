import { CACHE_MANAGER, type Cache } from '@nestjs/cache-manager';
import { Inject, Injectable } from '@nestjs/common';
import { Log } from '../../../platform/observability/log';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { detailsOf, type SubscriptionDetails } from '../../subscriptions/services/subscription-details';
import type { Plan } from '../domain/plan';
import type { Subscription } from '../../subscriptions/domain/subscription';

/**
 * The subscription of the tenant that is active in a request (docs/specification.md, Subscription).
 */
export interface CurrentSubscription {
  /** The plan whose features the tenant has. */
  readonly planInForce: Plan;
  readonly view: SubscriptionDetails;
}

/**
 * Caches the tenants' subscriptions for 5 minutes, in Redis if REDIS_URL is set. Every write of a
 * subscription refreshes its entry.
 */
@Injectable()
export class PlanCache {
  constructor(
    @Inject(CACHE_MANAGER) private readonly cache: Cache,
    private readonly subscriptions: SubscriptionRepository,
    private readonly log: Log,
  ) {}

  /** The tenant's subscription, at most 5 minutes old. */
  async get(tenantId: string): Promise<CurrentSubscription> {
    return (await this.attempt(() => this.cache.get<CurrentSubscription>(keyOf(tenantId)))) ?? this.reload(tenantId);
  }

  /** Reads the subscription from the database. Call it before a request is refused. */
  async reload(tenantId: string): Promise<CurrentSubscription> {
    return this.put(tenantId, await this.subscriptions.find(tenantId));
  }

  /** Stores what was just committed or read, unless the entry is already newer. */
  async put(tenantId: string, subscription: Subscription | undefined): Promise<CurrentSubscription> {
    const current = Object.freeze({
      planInForce: subscription?.planInForce ?? 'Free',
      view: Object.freeze(detailsOf(tenantId, subscription)),
    });
    await this.attempt(async () => {
      const known = await this.cache.get<CurrentSubscription>(keyOf(tenantId));
      if (!known || versionOf(known) <= versionOf(current)) await this.cache.set(keyOf(tenantId), current);
    });
    return current;
  }

  /** A failing cache counts as empty. */
  private async attempt<T>(use: () => Promise<T>): Promise<T | undefined> {
    try {
      return await use();
    } catch (error) {
      this.log.warn({ event: 'plan_cache.failed', err: error }, 'The cache of subscriptions failed');
      return undefined;
    }
  }
}

/** ISO 8601 strings of one time zone sort by time. */
const versionOf = ({ view }: CurrentSubscription) => view.updatedAt ?? '';

const keyOf = (tenantId: string) => `subscription:${tenantId}`;
