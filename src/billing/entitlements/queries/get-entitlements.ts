import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { ok, type Result } from '../../../platform/result';
import type { EntitlementsView, OverrideSummaryView } from '../http/views/entitlements.views';
import { listEntitlements } from '../services/entitlement-list';
import { EntitlementUse } from '../services/entitlement-use';
import { PlanCache } from '../services/plan-cache';

/** What the active tenant may do, and what it uses of it, read from the database. NOT_FOUND. */
export class GetEntitlements extends Query<Result<EntitlementsView, 'NOT_FOUND'>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@QueryHandler(GetEntitlements)
export class GetEntitlementsHandler implements IQueryHandler<GetEntitlements> {
  constructor(
    private readonly plans: PlanCache,
    private readonly use: EntitlementUse,
  ) {}

  async execute({ actor }: GetEntitlements): Promise<Result<EntitlementsView, 'NOT_FOUND'>> {
    const used = await this.use.of(actor.tenantId);
    if (!used.ok) return used;
    const { entitlements, override } = await this.plans.reload(actor.tenantId);
    const items = listEntitlements(entitlements, used.value);
    return ok({ plan: entitlements.plan, items, override: override && summaryOf(override) });
  }
}

/** Without its version. */
const summaryOf = ({ plan, entitlements, endsAt }: OverrideSummaryView): OverrideSummaryView => ({
  plan,
  entitlements,
  endsAt,
});
