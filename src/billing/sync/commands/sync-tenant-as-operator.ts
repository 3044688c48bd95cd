import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { DomainEvents } from '../../../platform/domain-events';
import { ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { AdminCheck } from '../../../users/users.api';
import { SubscriptionSynced } from '../../billing.events';
import type { SubscriptionView } from '../../http/views/billing.views';
import { OnDemandSync } from '../services/on-demand-sync';

/**
 * Reads a tenant's subscription from Stripe now, on an operator's request. NOT_FOUND,
 * BILLING_UNAVAILABLE; FORBIDDEN if the caller's admin flag was revoked after the token was issued.
 */
export class SyncTenantAsOperator extends Command<
  Result<SubscriptionView, 'BILLING_UNAVAILABLE' | 'FORBIDDEN' | 'NOT_FOUND'>
> {
  constructor(
    readonly actor: Actor,
    readonly tenantId: string,
  ) {
    super();
  }
}

@CommandHandler(SyncTenantAsOperator)
export class SyncTenantAsOperatorHandler implements ICommandHandler<SyncTenantAsOperator> {
  constructor(
    private readonly onDemandSync: OnDemandSync,
    private readonly adminCheck: AdminCheck,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The sync records its changes itself. The operator's request is recorded afterwards, because no
   * transaction may wait for Stripe.
   */
  async execute({ actor, tenantId }: SyncTenantAsOperator) {
    const allowed = await this.unitOfWork.inTenant({ tenantId }, () => this.adminCheck.requireAdmin(actor.userId));
    if (!allowed.ok) return allowed;
    const read = await this.onDemandSync.now(tenantId);
    if (!read.ok) return read;
    return this.unitOfWork.inTenant({ tenantId }, async () => {
      await this.events.publish(new SubscriptionSynced(actor, tenantId));
      return ok(read.value);
    });
  }
}
