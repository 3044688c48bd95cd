import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When accounts are deleted, as their users want. */
export class PlannedAccountDeletions1765460000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD deletes_at timestamptz, ADD deletion_reminded_at timestamptz');
    await runner.query('CREATE INDEX users_deletes_at_idx ON users (deletes_at) WHERE deletes_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP deletes_at, DROP deletion_reminded_at');
  }
}
