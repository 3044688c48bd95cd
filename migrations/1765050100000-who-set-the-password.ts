import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When an address was verified, when the password was set, and whether a session began with proof
 * of the mailbox. For existing accounts nobody knows who chose the password, so it counts as set
 * before the verification, and their sessions as unproven. Column defaults, dropped afterwards, set
 * this without writing any row.
 */
export class WhoSetThePassword1765050100000 implements MigrationInterface {
  /** Each table is locked in a transaction of its own. A repetition finds what exists. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD COLUMN IF NOT EXISTS email_verified_at timestamptz DEFAULT now(),
        ADD COLUMN IF NOT EXISTS password_set_at timestamptz DEFAULT 'epoch';
      ALTER TABLE users ALTER email_verified_at DROP DEFAULT, ALTER password_set_at DROP DEFAULT`);
    await runner.query('ALTER TABLE sessions ADD COLUMN IF NOT EXISTS is_proven boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP is_proven');
    await runner.query('ALTER TABLE users DROP email_verified_at, DROP password_set_at');
  }
}
