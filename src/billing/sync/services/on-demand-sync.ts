import { Injectable } from '@nestjs/common';
import { Clock, addSeconds } from '../../../platform/clock';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { BillingFailures } from '../../billing.failures';
import { SyncLeaseRepository } from '../data/sync-lease.repository';
import { PlanCache } from '../../entitlements/services/plan-cache';
import type { SubscriptionDetails } from '../../subscriptions/services/subscription-details';
import { StripeClient } from '../../stripe/stripe-client';
import { SubscriptionRefresher } from './subscription-refresher';

/** Seconds in which Stripe is called at most once per tenant. */
const LEASE_SECONDS = 5;

/** Reads a tenant's subscription from Stripe while a caller waits for it. */
@Injectable()
export class OnDemandSync {
  private readonly running = new Map<string, Promise<Result<void, 'BILLING_UNAVAILABLE' | 'NOT_FOUND'>>>();

  constructor(
    private readonly leases: SyncLeaseRepository,
    private readonly subscriptionRefresher: SubscriptionRefresher,
    private readonly stripeClient: StripeClient,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the subscription after the sync; NOT_FOUND for a deleted tenant; BILLING_UNAVAILABLE
   */
  async now(tenantId: string): Promise<Result<SubscriptionDetails, 'BILLING_UNAVAILABLE' | 'NOT_FOUND'>> {
    if (!this.stripeClient.isSetUp) return err(BillingFailures.unavailable);
    const synced = await (this.running.get(tenantId) ?? this.start(tenantId));
    return synced.ok ? ok((await this.cache.reload(tenantId)).view) : synced;
  }

  /**
   * Concurrent callers share one call: a page that sends two requests must not receive the older
   * state last.
   */
  private start(tenantId: string) {
    const running = this.sync(tenantId).finally(() => this.running.delete(tenantId));
    this.running.set(tenantId, running);
    return running;
  }

  private async sync(tenantId: string) {
    const now = this.clock.now();
    const lease = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok(await this.leases.acquire(tenantId, now, addSeconds(now, -LEASE_SECONDS))),
    );
    if (!lease.ok) return lease;
    if (!lease.value) return ok();
    const read = await this.subscriptionRefresher.refresh(tenantId);
    if (read.ok) return ok();
    await this.unitOfWork.inTenant({ tenantId }, async () => ok(await this.leases.release(tenantId, now)));
    return read;
  }
}
