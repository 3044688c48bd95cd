import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { Clock } from '../../../platform/clock';
import { DomainEvents } from '../../../platform/domain-events';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { AdminCheck } from '../../../users/users.api';
import { SubscriptionChanged } from '../../billing.events';
import type { SubscriptionView } from '../../http/views/billing.views';
import { RevenueMovements } from '../../revenue/services/revenue-movements';
import { SubscriptionRepository } from '../data/subscription.repository';
import type { Plan } from '../../entitlements/domain/plan';
import type { SubscriptionStatus } from '../domain/subscription-snapshot';
import { PlanCache } from '../../entitlements/services/plan-cache';

/**
 * Sets the stored status and plan of a tenant's subscription on an operator's request. Stripe is
 * not changed, and its next change wins (docs/specification.md, States and transitions). NOT_FOUND;
 * FORBIDDEN if the caller's admin flag was revoked after the token was issued.
 */
export class OverrideSubscription extends Command<Result<SubscriptionView, 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly tenantId: string,
    readonly status: SubscriptionStatus,
    /** Undefined: unchanged. */
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
    private readonly movements: RevenueMovements,
    private readonly events: DomainEvents,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, tenantId, status, plan, reason }: OverrideSubscription) {
    const set = await this.unitOfWork.acrossTenants(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const subscription = await this.subscriptions.lockOrAdd(tenantId, this.clock.now());
      if (!subscription) return err(PlatformFailures.notFound);
      subscription.override(status, plan);
      subscription.touch(this.clock.now());
      await this.subscriptions.save([subscription]);
      await this.movements.record([subscription]);
      await this.events.publish(
        new SubscriptionChanged(actor, tenantId, subscription.loaded, subscription, 'operator', reason || null),
      );
      return ok(subscription);
    });
    return set.ok ? ok((await this.cache.put(tenantId, set.value)).view) : set;
  }
}
