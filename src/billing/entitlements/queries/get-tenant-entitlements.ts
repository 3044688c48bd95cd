import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '../../../platform/clock';
import { EntityReader } from '../../../platform/database/entity-reader';
import { ok, type Result } from '../../../platform/result';
import { EntitlementOverride } from '../domain/entitlement-override';
import type { TenantEntitlementsView } from '../http/views/entitlements.views';
import { listEntitlements } from '../services/entitlement-list';
import { EntitlementUse } from '../services/entitlement-use';
import { overrideDetails } from '../services/entitlement-override-details';
import { PlanCache } from '../services/plan-cache';

/** What a tenant may do, what it uses of it, and its override, for operators. NOT_FOUND. */
export class GetTenantEntitlements extends Query<Result<TenantEntitlementsView, 'NOT_FOUND'>> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@QueryHandler(GetTenantEntitlements)
export class GetTenantEntitlementsHandler implements IQueryHandler<GetTenantEntitlements> {
  constructor(
    private readonly plans: PlanCache,
    private readonly use: EntitlementUse,
    private readonly reader: EntityReader,
    private readonly clock: Clock,
  ) {}

  async execute({ tenantId }: GetTenantEntitlements): Promise<Result<TenantEntitlementsView, 'NOT_FOUND'>> {
    const used = await this.use.of(tenantId);
    if (!used.ok) return used;
    const rows = { scope: { tenantId }, isFresh: true, where: { tenantId } };
    const [{ entitlements }, override] = await Promise.all([
      this.plans.reload(tenantId),
      this.reader.findEntity(EntitlementOverride, rows),
    ]);
    return ok({
      plan: entitlements.plan,
      items: listEntitlements(entitlements, used.value),
      override: override?.isInForce(this.clock.now()) ? overrideDetails(override) : null,
    });
  }
}
