import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock';
import { err, ok, type Result } from '../platform/result';
import { PlatformFailures } from '../platform/platform.failures';
import { UnitOfWork } from '../platform/unit-of-work';
import { SubscriptionRepository } from './data/subscription.repository';
import type { Subscription } from './domain/subscription';
import { Change, Mirroring } from './mirroring';
import { PlanCache } from './plan-cache';
import { ProcessorGateway, type Reading } from './processor/processor-gateway';

/** Asks the processor how one tenant's subscription stands, and makes ours the same. No lock is held while it is asked. */
@Injectable()
export class Rereading {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly gateway: ProcessorGateway,
    private readonly mirroring: Mirroring,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Nothing to ask for who never was a customer. NOT_FOUND for a tenant that is gone, BILLING_UNAVAILABLE. */
  async reread(tenantId: string): Promise<Result> {
    const customerId = (await this.subscriptions.find(tenantId))?.processorCustomerId;
    if (!customerId) return ok();
    const reading = await this.gateway.subscriptionsOf(customerId);
    if (!reading.ok) return reading;
    const taken = await this.take(tenantId, reading.value);
    return taken.ok ? ok() : taken;
  }

  /** Takes over what was read of a tenant's customer. @returns the subscription as it then is */
  async take(tenantId: string, { states, at }: Reading): Promise<Result<Subscription>> {
    const taken = await this.unitOfWork.within({ tenantId }, async () => {
      const subscription = await this.subscriptions.lockOrAdd(tenantId, this.clock.now());
      if (!subscription) return err(PlatformFailures.notFound);
      const change = new Change(subscription);
      subscription.mirrorAll(states, at, change.notices);
      await this.mirroring.settle([change], 'sync');
      return ok(subscription);
    });
    if (taken.ok) await this.cache.put(tenantId, taken.value);
    return taken;
  }
}
