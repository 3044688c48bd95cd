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
  const columns = filteredColumns(filter);
  const rows = (comparisons: string) => `(SELECT FROM subscriptions s WHERE s.tenant_id = r.id AND (${comparisons}))`;
  const comparisons = (operator: string) => columns.map((column, index) => `s.${column} ${operator} $${first + index}`);
  const sql = matchesMissingRow(filter)
    ? `NOT EXISTS ${rows(comparisons('<>').join(' OR '))}`
    : `EXISTS ${rows(comparisons('=').join(' AND '))}`;
  return { sql, parameters: columns.map((column) => filter[column]!) };
}

/**
 * The same condition for lists that start from another index: a sub-select of one row, so that each
 * tenant is looked up by its key.
 */
export function planLookup(filter: PlanFilter, first: number): { sql: string; parameters: string[] } {
  const columns = filteredColumns(filter);
  const comparisons = columns.map((column, index) => `s.${column} = $${first + index}`).join(' AND ');
  const row = `(SELECT ${comparisons} FROM subscriptions s WHERE s.tenant_id = r.id LIMIT 1)`;
  return {
    sql: `coalesce(${row}, ${matchesMissingRow(filter)})`,
    parameters: columns.map((column) => filter[column]!),
  };
}

const filteredColumns = (filter: PlanFilter) =>
  (['plan', 'status'] as const).filter((column) => filter[column] !== undefined);

const matchesMissingRow = (filter: PlanFilter): boolean =>
  filteredColumns(filter).every((column) => filter[column] === UNSUBSCRIBED[column]);
