import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose permissions a webhook endpoint needs; null: nobody's, for those that exist. */
export class GrantorsOfWebhookEndpoints1766560000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints
        ADD COLUMN granted_by uuid
          CONSTRAINT webhook_endpoints_granted_by_fkey REFERENCES users (id) ON DELETE SET NULL`);
    await runner.query('CREATE INDEX webhook_endpoints_granted_by_idx ON webhook_endpoints (granted_by)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN granted_by');
  }
}
