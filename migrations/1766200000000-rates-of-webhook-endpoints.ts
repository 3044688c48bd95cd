import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many webhooks a second an endpoint gets, and until when those that were sent last. */
export class RatesOfWebhookEndpoints1766200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD COLUMN per_second integer, ADD COLUMN paced_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN paced_until, DROP COLUMN per_second');
  }
}
