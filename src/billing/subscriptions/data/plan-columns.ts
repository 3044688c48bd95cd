import type { Plan } from '../../entitlements/domain/plan';
import type { SubscriptionStatus } from '../domain/subscription-snapshot';

/** Plan and status of a tenant that never subscribed (docs/contract.md, Billing operations). */
const UNSUBSCRIBED: { plan: Plan; status: SubscriptionStatus } = { plan: 'Free', status: 'Active' };

/** Plan and status of a tenant in SQL, from its row of subscriptions, `s`, which may be missing. */
export const PLAN_COLUMNS = `coalesce(s.plan, '${UNSUBSCRIBED.plan}') AS plan,
  coalesce(s.status, '${UNSUBSCRIBED.status}') AS status`;

/** A filter by plan and status. Given fields must all match. */
export interface PlanFilter {
  readonly plan?: Plan;
  readonly status?: SubscriptionStatus;
}

/**
 * The SQL condition that a tenant, `r`, has a plan and status as PLAN_COLUMNS shows them. It is
 * written so that the database can start from the index on subscriptions; missing rows have no
 * index.
 * @param first the number of the first parameter
 */
export function planCondition(filter: PlanFilter, first: number): { sql: string; parameters: string[] } {
  const columns = (['plan', 'status'] as const).filter((column) => filter[column] !== undefined);
  const parameters = columns.map((column) => filter[column]!);
  const rows = (comparisons: string) => `(SELECT FROM subscriptions s WHERE s.tenant_id = r.id AND (${comparisons}))`;
  const comparisons = (operator: string) => columns.map((column, index) => `s.${column} ${operator} $${first + index}`);
  const matchesMissingRow = columns.every((column) => filter[column] === UNSUBSCRIBED[column]);
  const sql = matchesMissingRow
    ? `NOT EXISTS ${rows(comparisons('<>').join(' OR '))}`
    : `EXISTS ${rows(comparisons('=').join(' AND '))}`;
  return { sql, parameters };
}
