import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which service account or personal token acted; null: a person or the system, as until now. */
export class PrincipalsOfAuditEntries1765500100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_log ADD COLUMN principal_kind text, ADD COLUMN principal_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_log DROP COLUMN principal_kind, DROP COLUMN principal_id');
  }
}
