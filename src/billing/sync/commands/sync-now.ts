import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import type { Result } from '../../../platform/result';
import type { SubscriptionView } from '../../http/views/billing.views';
import { OnDemandSync } from '../services/on-demand-sync';

/**
 * Reads the tenant's subscription from Stripe now, for a client that returns from checkout.
 * BILLING_UNAVAILABLE.
 */
export class SyncNow extends Command<Result<SubscriptionView>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@CommandHandler(SyncNow)
export class SyncNowHandler implements ICommandHandler<SyncNow> {
  constructor(private readonly onDemandSync: OnDemandSync) {}

  execute({ actor }: SyncNow) {
    return this.onDemandSync.now(actor.tenantId);
  }
}
