import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { err, ok, type Result } from '../../../platform/result';
import { PlatformFailures } from '../../../platform/platform.failures';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import type { SubscriptionSnapshot } from '../../subscriptions/domain/subscription-snapshot';
import type { Subscription } from '../../subscriptions/domain/subscription';
import { SubscriptionChange, SubscriptionWriter } from '../../subscriptions/services/subscription-writer';
import { PlanCache } from '../../entitlements/services/plan-cache';
import { StripeGateway, type Reading } from '../../stripe/stripe-gateway';

/** What a customer has at the processor, and what has become of ours. */
export interface Refreshed {
  readonly states: readonly SubscriptionSnapshot[];
  readonly subscription: Subscription;
}

/**
 * Asks the processor how one tenant's subscription stands, and makes ours the same. No lock is held
 * while it is asked.
 */
@Injectable()
export class SubscriptionRefresher {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly stripeGateway: StripeGateway,
    private readonly subscriptionWriter: SubscriptionWriter,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Nothing to ask for who never was a customer. NOT_FOUND for a tenant that is gone,
   * BILLING_UNAVAILABLE.
   * @returns what was read, and the subscription as it then is
   */
  async reread(tenantId: string): Promise<Result<Refreshed | undefined>> {
    const known = await this.subscriptions.find(tenantId);
    if (!known?.processorCustomerId) return ok(undefined);
    const reading = await this.stripeGateway.subscriptionsOf(known.processorCustomerId);
    if (!reading.ok) return reading;
    const taken = await this.take(known, reading.value);
    return taken.ok ? ok({ states: reading.value.states, subscription: taken.value }) : taken;
  }

  /** @param known the row as it was when the reading began */
  private async take(known: Subscription, { states, at }: Reading): Promise<Result<Subscription>> {
    const { tenantId } = known;
    const taken = await this.unitOfWork.inTenant({ tenantId }, async () => {
      const subscription = await this.subscriptions.lockOrAdd(tenantId, this.clock.now());
      if (!subscription) return err(PlatformFailures.notFound);
      const change = new SubscriptionChange(subscription);
      const isUntouched =
        !new SubscriptionChange(subscription, known).isDirty && subscription.asOf?.getTime() === known.asOf?.getTime();
      subscription.mirrorAll(states, at, change.notices, isUntouched);
      await this.subscriptionWriter.save([change], 'sync', at);
      return ok(subscription);
    });
    if (taken.ok) await this.cache.put(tenantId, taken.value);
    return taken;
  }
}
