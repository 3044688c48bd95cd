import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { PlanCache } from '../../entitlements/services/plan-cache';
import type { Reading } from '../../stripe/stripe-reading.mapper';
import { StripeSubscriptions } from '../../stripe/stripe-subscriptions';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import type { Subscription } from '../../subscriptions/domain/subscription';
import type { SubscriptionSnapshot } from '../../subscriptions/domain/subscription-snapshot';
import { SubscriptionWriter } from '../../subscriptions/services/subscription-writer';

/** A customer's subscriptions at Stripe, and the stored subscription after they were applied. */
export interface Refreshed {
  readonly snapshots: readonly SubscriptionSnapshot[];
  readonly subscription: Subscription;
}

/** The subscription after a reading. */
interface Stored {
  readonly subscription: Subscription;
  /** Whether the row has changed during the reading, which was not applied. */
  readonly isOvertaken: boolean;
}

/** How often Stripe is read at most while the row changes. */
const READINGS = 3;

/**
 * Reads one tenant's subscriptions from Stripe and applies them. No lock is held during the call.
 */
@Injectable()
export class SubscriptionRefresher {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly stripeSubscriptions: StripeSubscriptions,
    private readonly subscriptionWriter: SubscriptionWriter,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads again if the row has changed during the reading: by an event that may be newer, to
   * another customer, or by an operator.
   * @returns undefined for a tenant that was never a Stripe customer. NOT_FOUND for a deleted
   * tenant; BILLING_UNAVAILABLE
   */
  async refresh(tenantId: string): Promise<Result<Refreshed | undefined, 'BILLING_UNAVAILABLE' | 'NOT_FOUND'>> {
    for (let readings = 1; ; readings++) {
      const known = await this.subscriptions.find(tenantId);
      if (!known?.processorCustomerId) return ok(undefined);
      const reading = await this.stripeSubscriptions.listOfCustomer(known.processorCustomerId);
      if (!reading.ok) return reading;
      const stored = await this.store(known, reading.value);
      if (!stored.ok) return stored;
      const { subscription, isOvertaken } = stored.value;
      if (!isOvertaken || readings === READINGS) return ok({ snapshots: reading.value.snapshots, subscription });
    }
  }

  /** @param known the row as it was when the reading started */
  private async store(known: Subscription, { snapshots, at }: Reading): Promise<Result<Stored, 'NOT_FOUND'>> {
    const { tenantId } = known;
    const stored = await this.unitOfWork.inTenant({ tenantId }, async () => {
      const subscription = await this.subscriptions.lockOrAdd(tenantId, this.clock.now());
      if (!subscription) return err(PlatformFailures.notFound);
      if (subscription.differsFrom(known) || subscription.asOf?.getTime() !== known.asOf?.getTime())
        return ok({ subscription, isOvertaken: true });
      subscription.applyReading(snapshots, at);
      await this.subscriptionWriter.save([subscription], 'sync', at);
      return ok({ subscription, isOvertaken: false });
    });
    if (stored.ok) await this.cache.put(tenantId, stored.value.subscription);
    return stored;
  }
}
