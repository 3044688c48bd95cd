import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns that let each notice to an Owner be sent once, and mark events of no known tenant
 * (docs/contract.md, Billing notices).
 */
export class WhatOwnersAreTold1765080100000 implements MigrationInterface {
  /** Each table is locked in a transaction of its own. A repetition finds what exists. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE subscriptions
        ADD COLUMN IF NOT EXISTS open_invoice_id text, ADD COLUMN IF NOT EXISTS open_invoice_at timestamptz,
        ADD COLUMN IF NOT EXISTS told_trial_end timestamptz`,
    );
    await runner.query(
      `CREATE INDEX IF NOT EXISTS subscriptions_trial_ends_at_idx ON subscriptions (trial_ends_at)
        WHERE status = 'Trialing'`,
    );
    // One transaction. Without FORCE, because whoever migrates is in no tenant.
    await runner.query(`
      ALTER TABLE webhook_events ADD COLUMN IF NOT EXISTS is_foreign boolean NOT NULL DEFAULT false;
      ALTER TABLE webhook_events NO FORCE ROW LEVEL SECURITY;
      UPDATE webhook_events SET is_foreign = true
       WHERE status = 'needs-attention' AND (error LIKE 'Neither its subscription%'
         OR error LIKE 'There is no tenant %');
      ALTER TABLE webhook_events FORCE ROW LEVEL SECURITY`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_events DROP is_foreign');
    await runner.query('DROP INDEX subscriptions_trial_ends_at_idx');
    await runner.query('ALTER TABLE subscriptions DROP open_invoice_id, DROP open_invoice_at, DROP told_trial_end');
  }
}
