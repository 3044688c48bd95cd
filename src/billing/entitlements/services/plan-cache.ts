import { CACHE_MANAGER, type Cache } from '@nestjs/cache-manager';
import { Inject, Injectable } from '@nestjs/common';
import { Log } from '../../../platform/observability/log';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { SubscriptionView } from '../../http/views/billing.views';
import type { Plan } from '../domain/plan';
import type { Subscription } from '../../subscriptions/domain/subscription';

/** What a request knows of its tenant's subscription (specification, Subscription). */
export interface CurrentSubscription {
  /** The plan whose features the tenant has. */
  readonly planInForce: Plan;
  readonly view: SubscriptionView;
}

/**
 * The tenants' subscriptions, at hand for 5 minutes; shared by all instances where REDIS_URL is
 * set. Every write here refreshes it.
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

  /** As it is in the database now: for who is about to be refused. */
  async reload(tenantId: string): Promise<CurrentSubscription> {
    return this.put(tenantId, await this.subscriptions.find(tenantId));
  }

  /** What has just been written and committed, or read: unless something newer was meanwhile. */
  async put(tenantId: string, subscription: Subscription | undefined): Promise<CurrentSubscription> {
    const current = Object.freeze({
      planInForce: subscription?.planInForce ?? 'Free',
      view: Object.freeze(SubscriptionView.of(tenantId, subscription)),
    });
    await this.attempt(async () => {
      const known = await this.cache.get<CurrentSubscription>(keyOf(tenantId));
      if (!known || versionOf(known) <= versionOf(current)) await this.cache.set(keyOf(tenantId), current);
    });
    return current;
  }

  /** A cache that fails is none. */
  private async attempt<T>(use: () => Promise<T>): Promise<T | undefined> {
    try {
      return await use();
    } catch (error) {
      this.log.warn({ err: error }, 'the cache of subscriptions cannot be used');
      return undefined;
    }
  }
}

/** ISO 8601 in one time zone sorts as time does. */
const versionOf = ({ view }: CurrentSubscription) => view.updatedAt ?? '';

const keyOf = (tenantId: string) => `subscription:${tenantId}`;
