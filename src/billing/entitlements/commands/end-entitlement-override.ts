import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { DomainEvents } from '../../../platform/domain-events';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { AdminCheck } from '../../../users/users.api';
import { EntitlementOverrideEnded } from '../../billing.events';
import { EntitlementOverrideRepository } from '../data/entitlement-override.repository';
import { PlanCache } from '../services/plan-cache';

/**
 * Ends what an operator has given to a tenant before its time. NOT_FOUND if nothing is in force;
 * FORBIDDEN as for giving it.
 */
export class EndEntitlementOverride extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly tenantId: string,
  ) {
    super();
  }
}

@CommandHandler(EndEntitlementOverride)
export class EndEntitlementOverrideHandler implements ICommandHandler<EndEntitlementOverride> {
  constructor(
    private readonly overrides: EntitlementOverrideRepository,
    private readonly adminCheck: AdminCheck,
    private readonly events: DomainEvents,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, tenantId }: EndEntitlementOverride) {
    const ended = await this.unitOfWork.acrossTenants(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const override = await this.overrides.lock(tenantId);
      if (!override) return err(PlatformFailures.notFound);
      const isEnded = override.end(this.clock.now());
      if (!isEnded.ok) return isEnded;
      await this.overrides.save(override);
      await this.events.publish(new EntitlementOverrideEnded(actor, override));
      return ok();
    });
    if (ended.ok) await this.cache.refresh(tenantId);
    return ended;
  }
}
