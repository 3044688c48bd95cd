import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The last sign-ins of the sessions that are still stored. In a transaction of its own: creating
 * the foreign key blocks writes of users, and reading all sessions takes long.
 */
export class KnownSignIns1765300000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO last_sign_ins (user_id, at) SELECT user_id, max(created_at) FROM sessions GROUP BY user_id
      ON CONFLICT (user_id) DO NOTHING`);
  }

  async down(): Promise<void> {
    // the table is dropped by the migration before
  }
}
