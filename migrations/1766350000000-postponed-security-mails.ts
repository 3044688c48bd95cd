import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What security emails have not reported yet, because a limit postponed them. */
export class PostponedSecurityMails1766350000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE postponed_notices (
        id uuid CONSTRAINT postponed_notices_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT postponed_notices_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        notice text NOT NULL,
        about text NOT NULL,
        facts jsonb NOT NULL,
        created_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX postponed_notices_user_id_idx ON postponed_notices (user_id)');
    await runner.query('CREATE INDEX postponed_notices_created_at_idx ON postponed_notices (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE postponed_notices');
  }
}
