import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Streams are slow until their receivers have answered in time. */
export class SlowAuditStreams1766250000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_streams ADD COLUMN is_slow boolean NOT NULL DEFAULT true');
    await runner.query('ALTER TABLE audit_streams ALTER COLUMN is_slow DROP DEFAULT');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_streams DROP COLUMN is_slow');
  }
}
