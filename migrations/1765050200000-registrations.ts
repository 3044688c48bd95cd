import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Allows several registrations of an unverified address, each with its own password, name and
 * links.
 */
export class Registrations1765050200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE registrations (
        id uuid CONSTRAINT registrations_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT registrations_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        name text NOT NULL,
        password_hash text NOT NULL,
        device text NOT NULL,
        created_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX registrations_user_id_id_idx ON registrations (user_id, id)');
    await runner.query('CREATE INDEX registrations_created_at_idx ON registrations (created_at)');
    await runner.query(`
      ALTER TABLE one_time_tokens
        ADD registration_id uuid CONSTRAINT one_time_tokens_registration_id_fkey REFERENCES registrations (id)
          ON DELETE CASCADE`);
    await runner.query('CREATE INDEX one_time_tokens_registration_id_idx ON one_time_tokens (registration_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE one_time_tokens DROP registration_id');
    await runner.query('DROP TABLE registrations');
  }
}
