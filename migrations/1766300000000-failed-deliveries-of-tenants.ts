import type { MigrationInterface, QueryRunner } from 'typeorm';

const NAME = 'webhook_deliveries_failed_idx';

/**
 * The failed deliveries of a tenant, for operators; successes do not write it. Created concurrently
 * and therefore outside of a transaction, so that webhooks are sent meanwhile: an invalid index of
 * a failed attempt is created again.
 */
export class FailedDeliveriesOfTenants1766300000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${NAME}`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ${NAME} ON webhook_deliveries (tenant_id, id) WHERE state = 'failed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${NAME}`);
  }
}
