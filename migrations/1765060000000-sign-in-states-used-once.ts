import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Used states of provider sign-ins: a second answer to the same flow is refused while its cookie is
 * valid.
 */
export class SignInStatesUsedOnce1765060000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE used_sign_in_states (
        state_hash bytea CONSTRAINT used_sign_in_states_pkey PRIMARY KEY,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX used_sign_in_states_expires_at_idx ON used_sign_in_states (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE used_sign_in_states');
  }
}
