import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../../../http/access/actor';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { err, type Result } from '../../../platform/result';
import { BillingFailures } from '../../billing.failures';
import { PLAN_LIMITS, type CountedLimit } from '../domain/plan-limits';
import { PlanCache } from './plan-cache';

const PLAN_REQUIRED = BillingFailures.planRequired.code;

/** Runs work that adds one of what the plans limit (docs/contract.md, Tenant operations). */
@Injectable()
export class PlanLimitCheck {
  constructor(
    private readonly plans: PlanCache,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Runs the work in a transaction of the tenant, unless the limit of its plan is reached.
   * PLAN_REQUIRED. Transactions that count for the same limit and tenant run one after the other.
   * @param count how many there are; called under a lock, and only if the plan has a limit
   * @param work  may run a second time, after it was rolled back
   */
  async within<T, C extends string = never>(
    actor: TenantActor,
    limit: CountedLimit,
    count: () => Promise<number>,
    work: () => Promise<Result<T, C>>,
  ): Promise<Result<T, C | 'NOT_FOUND' | 'PLAN_REQUIRED'>> {
    const attempt = (most: number | null) =>
      this.unitOfWork.inTenant<T, C | 'PLAN_REQUIRED'>(actor, async () => {
        if (most !== null && (await this.lockAndCount(actor, limit, count)) >= most) return err(reached(limit, most));
        return work();
      });
    const cached = PLAN_LIMITS[(await this.plans.get(actor.tenantId)).planInForce][limit];
    const result = await attempt(cached);
    if (result.ok || result.failure.code !== PLAN_REQUIRED) return result;
    // the cache may be 5 minutes old: read the plan again before refusing a tenant that just paid
    const current = PLAN_LIMITS[(await this.plans.reload(actor.tenantId)).planInForce][limit];
    return current === cached ? result : attempt(current);
  }

  /** Counts in a later statement than the lock, to see what other transactions have committed. */
  private async lockAndCount({ tenantId }: TenantActor, limit: CountedLimit, count: () => Promise<number>) {
    await this.unitOfWork.lockByName(`${limit}:${tenantId}`);
    return count();
  }
}

const reached = (limit: CountedLimit, most: number) => ({
  ...BillingFailures.planRequired,
  message: `Your plan includes ${most} ${limit}. Upgrade to create more.`,
});
