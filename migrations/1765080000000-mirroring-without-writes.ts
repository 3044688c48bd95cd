import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns that order Stripe's events and readings without writing an unchanged row
 * (docs/contract.md, Applying events).
 */
export class MirroringWithoutWrites1765080000000 implements MigrationInterface {
  /** Each table is locked in a transaction of its own. A repetition finds what exists. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE subscriptions ADD COLUMN IF NOT EXISTS as_of_reading boolean NOT NULL DEFAULT false',
    );
    await runner.query('ALTER TABLE webhook_events ADD COLUMN IF NOT EXISTS is_applied boolean NOT NULL DEFAULT false');
    await runner.query('ALTER TABLE sync_runs ADD COLUMN IF NOT EXISTS reached timestamptz');
    await runner.query(`
      CREATE INDEX IF NOT EXISTS subscriptions_subscription_created_at_idx ON subscriptions (subscription_created_at)
       WHERE subscription_created_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX subscriptions_subscription_created_at_idx');
    await runner.query('ALTER TABLE sync_runs DROP reached');
    await runner.query('ALTER TABLE webhook_events DROP is_applied');
    await runner.query('ALTER TABLE subscriptions DROP as_of_reading');
  }
}
