import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  audit_streams_id_idx: '(id)',
  audit_streams_unhealthy_idx: '(id) WHERE failing_since IS NOT NULL OR disabled_at IS NOT NULL',
};

/**
 * The indexes of the operators' list. Created concurrently and therefore outside of a transaction:
 * an invalid index of a failed attempt is created again.
 */
export class AuditStreamsOfAllTenants1766250000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON audit_streams ${on}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
  }
}
