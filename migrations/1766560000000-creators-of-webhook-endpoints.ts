import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who created a webhook endpoint; null for those that exist. */
export class CreatorsOfWebhookEndpoints1766560000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints
        ADD COLUMN created_by uuid
          CONSTRAINT webhook_endpoints_created_by_fkey REFERENCES users (id) ON DELETE SET NULL`);
    await runner.query('CREATE INDEX webhook_endpoints_created_by_idx ON webhook_endpoints (created_by)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN created_by');
  }
}
