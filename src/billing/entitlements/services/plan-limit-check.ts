import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../../../http/access/actor';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { withFreshLimit } from '../../../platform/fresh-limit';
import { err, type Result } from '../../../platform/result';
import { BillingFailures } from '../../billing.failures';
import type { CountedLimit } from '../domain/plan-limits';
import { limitDetails } from '../domain/required-plans';
import { PlanCache } from './plan-cache';
import { PlanUse } from './plan-use';

const PLAN_REQUIRED = BillingFailures.planRequired.code;

/** Runs work that adds one of what the plans limit (docs/contract.md, Entitlements). */
@Injectable()
export class PlanLimitCheck {
  constructor(
    private readonly plans: PlanCache,
    private readonly use: PlanUse,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Runs the work in a transaction of the tenant, unless the limit of its plan, or one that it was
   * given, is reached. PLAN_REQUIRED. Transactions that count for the same limit and tenant run one
   * after the other; without a limit, nothing is counted.
   * @param work may run a second time, after it was rolled back
   */
  within<T, C extends string = never>(
    actor: TenantActor,
    limit: CountedLimit,
    work: () => Promise<Result<T, C>>,
  ): Promise<Result<T, C | 'NOT_FOUND' | 'PLAN_REQUIRED'>> {
    const { tenantId } = actor;
    const limitOf = async (isFresh: boolean) =>
      (await (isFresh ? this.plans.reload(tenantId) : this.plans.get(tenantId))).entitlements.limits[limit];
    return withFreshLimit(PLAN_REQUIRED, limitOf, (most) =>
      this.unitOfWork.inTenant<T, C | 'PLAN_REQUIRED'>(actor, async () => {
        if (most === null) return work();
        const used = await this.lockAndCount(actor, limit);
        return used < most ? work() : err(reached(limit, most, used));
      }),
    );
  }

  /** Counts in a later statement than the lock, to see what other transactions have committed. */
  private async lockAndCount({ tenantId }: TenantActor, limit: CountedLimit): Promise<number> {
    await this.unitOfWork.lockByName(`${limit}:${tenantId}`);
    return this.use.count(limit, tenantId);
  }
}

function reached(limit: CountedLimit, most: number, used: number) {
  const details = limitDetails(limit, most, used);
  const wayOut = details.requiredPlan.length > 0 ? 'Upgrade to create more.' : 'No plan has more: delete one first.';
  return { ...BillingFailures.planRequired, message: `Your plan includes ${most} ${limit}. ${wayOut}`, details };
}
