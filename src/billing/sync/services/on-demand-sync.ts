import { Injectable } from '@nestjs/common';
import { Clock, addSeconds } from '../../../platform/clock';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { BillingFailures } from '../../billing.failures';
import type { SubscriptionView } from '../../http/views/billing.views';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { PlanCache } from '../../entitlements/services/plan-cache';
import { StripeGateway } from '../../stripe/stripe-gateway';
import { SubscriptionRefresher } from './subscription-refresher';

/** Seconds in which the processor is asked once for a tenant, however many people wait for it. */
const PATIENCE = 5;

/** Reads a tenant's subscription at the processor for somebody who waits for it. */
@Injectable()
export class OnDemandSync {
  private readonly asking = new Map<string, Promise<Result>>();

  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly subscriptionRefresher: SubscriptionRefresher,
    private readonly stripeGateway: StripeGateway,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the subscription as it then is; NOT_FOUND for a tenant that is gone;
   * BILLING_UNAVAILABLE
   */
  async now(tenantId: string): Promise<Result<SubscriptionView>> {
    if (!this.stripeGateway.isSetUp) return err(BillingFailures.unavailable);
    const asked = await (this.asking.get(tenantId) ?? this.ask(tenantId));
    return asked.ok ? ok((await this.cache.reload(tenantId)).view) : asked;
  }

  /**
   * Who comes while somebody else's question is on its way waits for that answer: a page that asks
   * twice must not get the old state second.
   */
  private ask(tenantId: string): Promise<Result> {
    const asking = this.askOnce(tenantId).finally(() => this.asking.delete(tenantId));
    this.asking.set(tenantId, asking);
    return asking;
  }

  private async askOnce(tenantId: string): Promise<Result> {
    const now = this.clock.now();
    const taken = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok(await this.subscriptions.acquireSyncLease(tenantId, now, addSeconds(now, -PATIENCE))),
    );
    if (!taken.ok) return taken;
    if (!taken.value) return ok();
    const read = await this.subscriptionRefresher.reread(tenantId);
    if (read.ok) return ok();
    await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok(await this.subscriptions.releaseSyncLease(tenantId, now)),
    );
    return read;
  }
}
