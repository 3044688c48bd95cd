import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { ok, type Result } from '../../../platform/result';
import type { SubscriptionView } from '../../http/views/billing.views';
import { PlanCache } from '../../entitlements/services/plan-cache';

/** The active tenant's subscription, read from the database. */
export class GetSubscription extends Query<Result<SubscriptionView>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@QueryHandler(GetSubscription)
export class GetSubscriptionHandler implements IQueryHandler<GetSubscription> {
  constructor(private readonly cache: PlanCache) {}

  async execute({ actor }: GetSubscription): Promise<Result<SubscriptionView>> {
    return ok((await this.cache.reload(actor.tenantId)).view);
  }
}
