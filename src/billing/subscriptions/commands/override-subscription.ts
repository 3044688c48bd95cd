import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { Clock } from '../../../platform/clock';
import { DomainEvents } from '../../../platform/domain-events';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { AdminCheck } from '../../../users/users.api';
import { factsOf, SubscriptionChanged } from '../../billing.events';
import { SubscriptionView } from '../../http/views/billing.views';
import { SubscriptionRepository } from '../data/subscription.repository';
import type { Plan } from '../../entitlements/domain/plan';
import type { SubscriptionStatus } from '../domain/subscription-snapshot';
import { PlanCache } from '../../entitlements/services/plan-cache';

/**
 * An operator sets what is known here of a tenant's subscription; the processor is not touched, and
 * what it says next wins (specification, States). NOT_FOUND; FORBIDDEN for who is an admin by an
 * old token only.
 */
export class OverrideSubscription extends Command<Result<SubscriptionView>> {
  constructor(
    readonly actor: Actor,
    readonly tenantId: string,
    readonly status: SubscriptionStatus,
    /** Undefined: as it is. */
    readonly plan?: Plan,
    readonly reason?: string,
  ) {
    super();
  }
}

@CommandHandler(OverrideSubscription)
export class OverrideSubscriptionHandler implements ICommandHandler<OverrideSubscription> {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly adminCheck: AdminCheck,
    private readonly events: DomainEvents,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, tenantId, status, plan, reason }: OverrideSubscription): Promise<Result<SubscriptionView>> {
    const set = await this.unitOfWork.acrossTenants(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const subscription = await this.subscriptions.lockOrAdd(tenantId, this.clock.now());
      if (!subscription) return err(PlatformFailures.notFound);
      const before = factsOf(subscription);
      subscription.override(status, plan);
      subscription.touch(this.clock.now());
      await this.subscriptions.save([subscription]);
      await this.events.publish(
        new SubscriptionChanged(actor, tenantId, before, subscription, 'operator', reason || null),
      );
      return ok(subscription);
    });
    return set.ok ? ok((await this.cache.put(tenantId, set.value)).view) : set;
  }
}
