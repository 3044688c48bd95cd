import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The prices at Stripe that were seen as those of a plan, so that a replaced one keeps its plan.
 * And the prices that a sync could not recognize.
 */
export class KnownPrices1765250000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE known_prices (
        price_id text NOT NULL CONSTRAINT known_prices_pkey PRIMARY KEY,
        plan text NOT NULL CONSTRAINT known_prices_plan_check CHECK (plan IN ('Pro', 'Business')),
        billing_interval text NOT NULL
          CONSTRAINT known_prices_billing_interval_check CHECK (billing_interval IN ('month', 'year')),
        lookup_key text,
        first_seen_at timestamptz NOT NULL
      )`);
    await runner.query(`ALTER TABLE sync_runs ADD COLUMN unknown_prices text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sync_runs DROP COLUMN unknown_prices');
    await runner.query('DROP TABLE known_prices');
  }
}
