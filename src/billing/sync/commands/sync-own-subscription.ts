import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import type { Result } from '../../../platform/result';
import type { SubscriptionView } from '../../http/views/billing.views';
import { OnDemandSync } from '../services/on-demand-sync';

/**
 * Reads the tenant's subscription from Stripe now, for a client that returns from checkout.
 * BILLING_UNAVAILABLE.
 */
export class SyncOwnSubscription extends Command<Result<SubscriptionView, 'BILLING_UNAVAILABLE' | 'NOT_FOUND'>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@CommandHandler(SyncOwnSubscription)
export class SyncOwnSubscriptionHandler implements ICommandHandler<SyncOwnSubscription> {
  constructor(private readonly onDemandSync: OnDemandSync) {}

  execute({ actor }: SyncOwnSubscription) {
    return this.onDemandSync.now(actor.tenantId);
  }
}
