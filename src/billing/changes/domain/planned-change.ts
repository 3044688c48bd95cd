import type { BillingInterval } from '../../catalogue/domain/plan-catalogue';
import type { Plan } from '../../entitlements/domain/plan';

/** A change that is planned for the end of a period, as it was stored. */
export interface PlannedChange {
  readonly scheduleId: string;
  readonly plan: Plan | null;
  readonly interval: BillingInterval | null;
}
