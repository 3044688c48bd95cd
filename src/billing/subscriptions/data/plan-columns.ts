import type { Plan } from '../../entitlements/domain/plan';
import type { SubscriptionStatus } from '../domain/subscription-snapshot';

/** What who never subscribed has from the first moment (contract section 5). */
const UNSUBSCRIBED: { plan: Plan; status: SubscriptionStatus } = { plan: 'Free', status: 'Active' };

/** Plan and status of a tenant in SQL, out of its row of subscriptions, `s`, or none. */
export const PLAN_COLUMNS = `coalesce(s.plan, '${UNSUBSCRIBED.plan}') AS plan, coalesce(s.status, '${UNSUBSCRIBED.status}') AS status`;

/** What is asked of plan and status; all that is given must hold. */
export interface PlanFilter {
  readonly plan?: Plan;
  readonly status?: SubscriptionStatus;
}

/**
 * The condition in SQL that a tenant, `r`, has a plan and status as PLAN_COLUMNS show them, said so
 * that the database can begin with the rows of subscriptions: it has an index of those, but none of
 * what is not there.
 * @param first the number of the first of the parameters
 */
export function planCondition(filter: PlanFilter, first: number): { sql: string; parameters: string[] } {
  const columns = (['plan', 'status'] as const).filter((column) => filter[column] !== undefined);
  const parameters = columns.map((column) => filter[column]!);
  const rows = (comparisons: string) => `(SELECT FROM subscriptions s WHERE s.tenant_id = r.id AND (${comparisons}))`;
  const comparisons = (operator: string) => columns.map((column, index) => `s.${column} ${operator} $${first + index}`);
  const isAlsoOfNoRow = columns.every((column) => filter[column] === UNSUBSCRIBED[column]);
  const sql = isAlsoOfNoRow
    ? `NOT EXISTS ${rows(comparisons('<>').join(' OR '))}`
    : `EXISTS ${rows(comparisons('=').join(' AND '))}`;
  return { sql, parameters };
}
