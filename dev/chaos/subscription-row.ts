import type { Client } from 'pg';
import { setTenantScopeSql } from '../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT } from '../../src/platform/database/tenant-scope';

/** What the service has stored of a tenant's subscription. Times are in seconds. */
export interface SubscriptionRow {
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly plan: string;
  readonly interval: string | null;
  readonly currency: string | null;
  readonly seats: number | null;
  readonly priceId: string | null;
  readonly discount: string | null;
  /** Of each invoice; null also for a discount of one invoice. */
  readonly discountPercent: number | null;
  readonly discountAmount: number | null;
  readonly status: string;
  readonly periodEnd: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly pendingPlan: string | null;
  readonly pendingInterval: string | null;
  readonly pendingAt: number | null;
}

const ROWS = `
  SELECT tenant_id AS "tenantId", processor_customer_id AS "customerId",
         processor_subscription_id AS "subscriptionId", plan, billing_interval AS "interval", currency, seats,
         price_id AS "priceId", discount, discount_percent AS "discountPercent",
         discount_amount AS "discountAmount", status, extract(epoch FROM current_period_end)::float8 AS "periodEnd",
         cancel_at_period_end AS "cancelAtPeriodEnd", pending_plan AS "pendingPlan",
         pending_interval AS "pendingInterval", extract(epoch FROM pending_at)::float8 AS "pendingAt"
    FROM subscriptions`;

/** All stored subscriptions by tenant. */
export async function subscriptionRows(database: Client): Promise<Map<string, SubscriptionRow>> {
  const rows = await queryAllTenants<SubscriptionRow & { tenantId: string }>(database, ROWS);
  return new Map(rows.map(({ tenantId, ...row }) => [tenantId, row]));
}

/** The number of members by tenant. */
export async function memberCounts(database: Client): Promise<Map<string, number>> {
  const rows = await queryAllTenants<{ id: string; n: number }>(
    database,
    'SELECT tenant_id AS id, count(*)::int AS n FROM memberships GROUP BY 1',
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** Runs a query across all tenants with the role of the service. */
export async function queryAllTenants<Row extends object>(database: Client, sql: string): Promise<Row[]> {
  await database.query(`BEGIN; ${setTenantScopeSql(EVERY_TENANT)}`);
  const { rows } = await database.query<Row>(sql);
  await database.query('COMMIT');
  return rows;
}
