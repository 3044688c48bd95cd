import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  webhook_endpoints_id_idx: 'webhook_endpoints (id)',
  webhook_endpoints_unhealthy_idx: 'webhook_endpoints (id) WHERE failing_since IS NOT NULL OR disabled_at IS NOT NULL',
  webhook_deliveries_state_idx: 'webhook_deliveries (state, id)',
};

/**
 * The indexes of the operators' lists. Created concurrently and therefore outside of a transaction,
 * so that webhooks are sent meanwhile: an invalid index of a failed attempt is created again.
 */
export class WebhooksOfAllTenants1765800000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
  }
}
