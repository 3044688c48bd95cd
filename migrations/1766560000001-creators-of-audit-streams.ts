import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who created an audit stream; null for those that exist. */
export class CreatorsOfAuditStreams1766560000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_streams
        ADD COLUMN created_by uuid
          CONSTRAINT audit_streams_created_by_fkey REFERENCES users (id) ON DELETE SET NULL`);
    await runner.query('CREATE INDEX audit_streams_created_by_idx ON audit_streams (created_by)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_streams DROP COLUMN created_by');
  }
}
