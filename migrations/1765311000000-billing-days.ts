import type { MigrationInterface, QueryRunner } from 'typeorm';

const COUNTS = [
  'active',
  'past_due',
  'trialing',
  'unpriced',
  'trials_started',
  'conversions',
  'churned',
  'churned_unpriced',
];
const AMOUNTS = ['mrr', 'past_due_mrr', 'trial_mrr', 'churned_mrr'];

/**
 * Revenue by day, plan and currency; what prices cost; and what discounts take off. No row belongs
 * to a tenant.
 */
export class BillingDays1765311000000 implements MigrationInterface {
  /** Each table is locked in a transaction of its own. A repetition finds what exists. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE known_prices ADD COLUMN IF NOT EXISTS amounts jsonb');
    await runner.query(
      `ALTER TABLE subscriptions ADD COLUMN IF NOT EXISTS discount_percent double precision,
        ADD COLUMN IF NOT EXISTS discount_amount integer`,
    );
    await runner.query(`
      CREATE TABLE IF NOT EXISTS billing_days (
        day date NOT NULL,
        plan text NOT NULL,
        currency text NOT NULL,
        recorded_at timestamptz,
        ${COUNTS.map((column) => `${column} integer NOT NULL DEFAULT 0`).join(', ')},
        ${AMOUNTS.map((column) => `${column} bigint NOT NULL DEFAULT 0`).join(', ')},
        CONSTRAINT billing_days_pkey PRIMARY KEY (day, plan, currency)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE billing_days');
    await runner.query('ALTER TABLE subscriptions DROP COLUMN discount_percent, DROP COLUMN discount_amount');
    await runner.query('ALTER TABLE known_prices DROP COLUMN amounts');
  }
}
