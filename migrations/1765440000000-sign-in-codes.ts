import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A sign-in link can be replaced by its code in the browser that asked for it. */
export class SignInCodes1765440000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE one_time_tokens ADD browser_hash bytea, ADD code_attempts integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE one_time_tokens DROP browser_hash, DROP code_attempts');
  }
}
