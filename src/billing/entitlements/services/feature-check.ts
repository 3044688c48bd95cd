import { Injectable } from '@nestjs/common';
import { err, ok, type Result } from '../../../platform/result';
import { BillingFailures } from '../../billing.failures';
import type { Feature } from '../../catalogue/domain/plan-catalogue';
import { featureDetails } from '../domain/required-plans';
import { PlanCache, type CurrentSubscription } from './plan-cache';

/**
 * Whether a tenant has a feature, where only some requests of a route need it, or none does;
 * routes that always need it have `@RequireEntitlement` (docs/contract.md, Entitlements).
 */
@Injectable()
export class FeatureCheck {
  constructor(private readonly plans: PlanCache) {}

  /**
   * PLAN_REQUIRED unless the plan of the tenant includes the feature, or it was given it. Before a
   * refusal the plan is read from the database, because the cached one may be 5 minutes old.
   */
  async require(tenantId: string, feature: Feature): Promise<Result<void, 'PLAN_REQUIRED'>> {
    const has = ({ entitlements }: CurrentSubscription) => entitlements.features.includes(feature);
    if (has(await this.plans.get(tenantId)) || has(await this.plans.reload(tenantId))) return ok();
    return err({ ...BillingFailures.planRequired, details: featureDetails(feature) });
  }
}
