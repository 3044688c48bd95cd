import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditLogRepository } from '../../../audit/audit.api';
import type { Actor } from '../../../http/access/actor';
import { ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { AdminCheck } from '../../../users/users.api';
import type { SubscriptionView } from '../../http/views/billing.views';
import { OnDemandSync } from '../services/on-demand-sync';

/**
 * An operator has a tenant's subscription read at the processor now. NOT_FOUND,
 * BILLING_UNAVAILABLE; FORBIDDEN for who is an admin by an old token only.
 */
export class SyncTenant extends Command<Result<SubscriptionView>> {
  constructor(
    readonly actor: Actor,
    readonly tenantId: string,
  ) {
    super();
  }
}

@CommandHandler(SyncTenant)
export class SyncTenantHandler implements ICommandHandler<SyncTenant> {
  constructor(
    private readonly onDemandSync: OnDemandSync,
    private readonly adminCheck: AdminCheck,
    private readonly auditLogRepository: AuditLogRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * What it changes is written down where it changes, as of the sync; who wanted it, once it has
   * been done: no transaction waits for the processor.
   */
  async execute({ actor, tenantId }: SyncTenant): Promise<Result<SubscriptionView>> {
    const allowed = await this.unitOfWork.inTenant({ tenantId }, () => this.adminCheck.requireAdmin(actor.userId));
    if (!allowed.ok) return allowed;
    const read = await this.onDemandSync.now(tenantId);
    if (!read.ok) return read;
    return this.unitOfWork.inTenant({ tenantId }, async () => {
      const target = { type: 'subscription', id: tenantId };
      await this.auditLogRepository.append([{ action: 'subscription.synced', by: actor, tenantId, target, data: {} }]);
      return ok(read.value);
    });
  }
}
