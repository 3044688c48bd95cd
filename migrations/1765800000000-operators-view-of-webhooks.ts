import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators list endpoints and deliveries of all tenants, and can disable an endpoint. */
export class OperatorsViewOfWebhooks1765800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.allowReasons(runner, `'user', 'gone', 'failing', 'operator'`);
    await runner.query('CREATE INDEX webhook_endpoints_id_idx ON webhook_endpoints (id)');
    await runner.query(`
      CREATE INDEX webhook_endpoints_unhealthy_idx ON webhook_endpoints (id)
       WHERE failing_since IS NOT NULL OR disabled_at IS NOT NULL`);
    await runner.query('CREATE INDEX webhook_deliveries_state_idx ON webhook_deliveries (state, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_deliveries_state_idx, webhook_endpoints_unhealthy_idx');
    await runner.query('DROP INDEX webhook_endpoints_id_idx');
    await runner.query(`UPDATE webhook_endpoints SET disabled_why = 'user' WHERE disabled_why = 'operator'`);
    await this.allowReasons(runner, `'user', 'gone', 'failing'`);
  }

  private async allowReasons(runner: QueryRunner, reasons: string): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints DROP CONSTRAINT webhook_endpoints_disabled_why_check,
        ADD CONSTRAINT webhook_endpoints_disabled_why_check CHECK (disabled_why IN (${reasons}))`);
  }
}
