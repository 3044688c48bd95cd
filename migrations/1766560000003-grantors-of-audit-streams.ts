import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose permissions an audit stream needs; null: nobody's, for those that exist. */
export class GrantorsOfAuditStreams1766560000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_streams
        ADD COLUMN granted_by uuid
          CONSTRAINT audit_streams_granted_by_fkey REFERENCES users (id) ON DELETE SET NULL`);
    await runner.query('CREATE INDEX audit_streams_granted_by_idx ON audit_streams (granted_by)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_streams DROP COLUMN granted_by');
  }
}
