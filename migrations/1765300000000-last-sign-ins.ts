import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When and how each user signed in last. Most pages have room for a row's next version, so that a
 * sign-in writes no index.
 */
export class LastSignIns1765300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE last_sign_ins (
        user_id uuid NOT NULL,
        at timestamptz NOT NULL,
        method text,
        CONSTRAINT last_sign_ins_pkey PRIMARY KEY (user_id),
        CONSTRAINT last_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      ) WITH (fillfactor = 70)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE last_sign_ins');
  }
}
