import type { Client } from 'pg';
import { queryAllTenants } from './subscription-row';
import type { WebhookCounts } from './webhook-assertions';

/** What a run has done and found. */
export interface ChaosReport {
  /** Empty if everything has converged. The histories of the tenants that they name come last. */
  readonly problems: readonly string[];
  readonly events: number;
  readonly actions: number;
  readonly interrupted: number;
  /** The interrupted ones by reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** Changes that the service made at Stripe: at once, planned, and cancellations. */
  readonly changes: number;
  readonly kills: number;
  readonly mails: number;
  /**
   * Mails that were sent twice, because the service was killed between sending one and recording
   * it.
   */
  readonly repeatedMails: number;
  /** Number of subscriptions that the sync at the end corrected. */
  readonly corrected: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Number of tenants with a yearly price, a discount, a planned change, and further seats. */
  readonly terms: Readonly<Record<string, number>>;
  readonly webhooks: WebhookCounts;
}

const TERMS = `unnest(ARRAY[CASE WHEN billing_interval = 'year' THEN 'yearly' END,
  CASE WHEN currency = 'eur' THEN 'in euros' END, CASE WHEN discount IS NOT NULL THEN 'with a discount' END,
  CASE WHEN pending_at IS NOT NULL THEN 'with a planned change' END, CASE WHEN seats > 10 THEN 'over 10 seats' END])`;

/** The number of tenants by status. */
export const statusCounts = (database: Client) => countRows(database, 'status');

/** The number of tenants by what is special about their subscription. */
export const termCounts = (database: Client) => countRows(database, TERMS);

/** The number of stored subscriptions by an expression in SQL. */
async function countRows(database: Client, by: string): Promise<Record<string, number>> {
  const rows = await queryAllTenants<{ value: string; n: number }>(
    database,
    `SELECT value, count(*)::int AS n FROM (SELECT ${by} AS value FROM subscriptions) AS s
      WHERE value IS NOT NULL GROUP BY 1 ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ value, n }) => [value, n]));
}
