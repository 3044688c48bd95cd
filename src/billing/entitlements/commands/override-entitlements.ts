import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { DomainEvents } from '../../../platform/domain-events';
import { ok, type Result } from '../../../platform/result';
import { AdminCheck } from '../../../users/users.api';
import { EntitlementsOverridden } from '../../billing.events';
import { EntitlementOverrideRepository } from '../data/entitlement-override.repository';
import { EntitlementOverride, type NewOverride } from '../domain/entitlement-override';
import type { EntitlementOverrideView } from '../http/views/entitlements.views';
import { overrideDetails } from '../services/entitlement-override-details';
import { PlanCache } from '../services/plan-cache';

/**
 * Gives a tenant a plan or single entitlements until a time, in place of what it was given before
 * (docs/contract.md, Entitlements). NOT_FOUND; VALIDATION_ERROR for an end in the past, or if
 * nothing is given; FORBIDDEN if the caller's admin flag was revoked after the token was issued.
 */
export class OverrideEntitlements extends Command<
  Result<EntitlementOverrideView, 'FORBIDDEN' | 'NOT_FOUND' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: Actor,
    readonly tenantId: string,
    readonly given: NewOverride,
  ) {
    super();
  }
}

@CommandHandler(OverrideEntitlements)
export class OverrideEntitlementsHandler implements ICommandHandler<OverrideEntitlements> {
  constructor(
    private readonly overrides: EntitlementOverrideRepository,
    private readonly adminCheck: AdminCheck,
    private readonly events: DomainEvents,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, tenantId, given }: OverrideEntitlements) {
    const set = await this.unitOfWork.acrossTenants(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const previous = await this.overrides.lock(tenantId);
      const created = EntitlementOverride.create(tenantId, given, actor.userId, this.clock.now(), previous);
      if (!created.ok) return created;
      const stored = await this.overrides.put(created.value);
      if (!stored.ok) return stored;
      await this.events.publish(new EntitlementsOverridden(actor, created.value));
      return ok(overrideDetails(created.value));
    });
    if (set.ok) await this.cache.refresh(tenantId);
    return set;
  }
}
