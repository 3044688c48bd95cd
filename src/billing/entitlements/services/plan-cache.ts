import { CACHE_MANAGER, type Cache } from '@nestjs/cache-manager';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Log } from '../../../platform/observability/log';
import { LogInterval } from '../../../platform/observability/log-interval';
import type { Subscription } from '../../subscriptions/domain/subscription';
import { TenantPlanRepository, type TenantPlan } from '../data/tenant-plan.repository';
import { inMemory } from './plan-cache-store';
import { entryOf, isUsable, newestOf, type CurrentSubscription, type PlanEntry } from './plan-entry';

export type { CurrentSubscription };

/**
 * Caches the tenants' subscriptions and entitlements for 5 minutes, in Redis if REDIS_URL is set.
 * Every write of a subscription or an override refreshes its entry. An override does not outlive
 * its end.
 */
@Injectable()
export class PlanCache {
  private readonly failures = new LogInterval();

  constructor(
    @Inject(CACHE_MANAGER) private readonly cache: Cache,
    private readonly plans: TenantPlanRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** The tenant's subscription, at most 5 minutes old; without a promise if it is in memory. */
  get(tenantId: string): CurrentSubscription | Promise<CurrentSubscription> {
    const known = inMemory<PlanEntry>(this.cache, keyOf(tenantId));
    return known && isUsable(known, this.clock) ? known : this.lookUp(tenantId);
  }

  /** Reads the subscription from the database. Call it before a request is refused. */
  async reload(tenantId: string): Promise<CurrentSubscription> {
    return this.store(tenantId, await this.plans.find(tenantId));
  }

  /** Stores a subscription that was just committed, unless the entry is already newer. */
  put(tenantId: string, subscription: Subscription | undefined): Promise<CurrentSubscription> {
    return this.store(tenantId, { subscription });
  }

  /**
   * Refreshes the entry after a write that was just committed, which must not seem to have failed:
   * if the database does not respond, the entry is dropped.
   */
  async refresh(tenantId: string): Promise<void> {
    try {
      await this.reload(tenantId);
    } catch (error) {
      this.log.warn({ event: 'plan_cache.not_refreshed', tenantId, err: error }, 'A cached subscription is dropped');
      await this.attempt(() => this.cache.del(keyOf(tenantId)));
    }
  }

  private async lookUp(tenantId: string): Promise<CurrentSubscription> {
    const known = await this.attempt(() => this.cache.get<PlanEntry>(keyOf(tenantId)));
    return known && isUsable(known, this.clock) ? known : this.reload(tenantId);
  }

  private async store(tenantId: string, { subscription, ...read }: StoredPlan): Promise<CurrentSubscription> {
    const override = 'override' in read ? (read.override ?? null) : undefined;
    const entry = entryOf(tenantId, subscription, override, this.clock);
    await this.attempt(async () => {
      const known = await this.cache.get<PlanEntry>(keyOf(tenantId));
      const newest = newestOf(entry, known, this.clock);
      if (newest !== known) await this.cache.set(keyOf(tenantId), newest);
    });
    return entry;
  }

  /** A failing cache counts as empty. */
  private async attempt<T>(use: () => Promise<T>): Promise<T | undefined> {
    try {
      return await use();
    } catch (error) {
      const { message } = error as Error;
      if (this.failures.isDue())
        this.log.warn({ event: 'plan_cache.failed', reason: message }, 'The cache of subscriptions failed');
      return undefined;
    }
  }
}

/** A subscription without its override, or with it. */
type StoredPlan = Pick<TenantPlan, 'subscription'> & Partial<TenantPlan>;

const keyOf = (tenantId: string) => `subscription:${tenantId}`;
