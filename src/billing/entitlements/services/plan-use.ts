import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { COUNTED_LIMITS, type CountedLimit } from '../domain/plan-limits';

type Count = (tenantId: string) => Promise<number>;

/**
 * Counts how many a tenant has of what its plan limits. The module that stores the rows says how to
 * count them.
 */
@Injectable()
export class PlanUse implements OnApplicationBootstrap {
  private readonly counts = new Map<CountedLimit, Count>();

  /** Sets how the rows of a limit are counted, within the running transaction. */
  countBy(limit: CountedLimit, count: Count): void {
    this.counts.set(limit, count);
  }

  /** The number of rows of a tenant, in a transaction that sees them. */
  count(limit: CountedLimit, tenantId: string): Promise<number> {
    return this.counts.get(limit)!(tenantId);
  }

  /** @throws if a limit has no count */
  onApplicationBootstrap(): void {
    const missing = COUNTED_LIMITS.filter((limit) => !this.counts.has(limit));
    if (missing.length > 0) throw new Error(`Nothing counts ${missing.join(', ')}: see docs/add-a-module.md, Plans.`);
  }
}
