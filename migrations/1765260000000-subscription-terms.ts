import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  'price_id text',
  'billing_interval text',
  'currency text',
  'seats integer',
  'discount text',
  'pending_plan text',
  'pending_interval text',
  'pending_at timestamptz',
];

/** How a subscription is paid, and its planned change, as Stripe has them. */
export class SubscriptionTerms1765260000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE subscriptions ${COLUMNS.map((column) => `ADD COLUMN ${column}`).join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const names = COLUMNS.map((column) => `DROP COLUMN ${column.split(' ')[0]}`);
    await runner.query(`ALTER TABLE subscriptions ${names.join(', ')}`);
  }
}
