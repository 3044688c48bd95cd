import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When an address was verified, when the password was set, and whether a session began with proof
 * of the mailbox. For existing accounts nobody knows who chose the password, so it counts as set
 * before the verification, and their sessions as unproven. Column defaults, dropped afterwards, set
 * this without writing any row.
 */
export class WhoSetThePassword1765050100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE users ADD email_verified_at timestamptz DEFAULT now(),
        ADD password_set_at timestamptz DEFAULT 'epoch'`,
    );
    await runner.query('ALTER TABLE users ALTER email_verified_at DROP DEFAULT, ALTER password_set_at DROP DEFAULT');
    await runner.query('ALTER TABLE sessions ADD is_proven boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP is_proven');
    await runner.query('ALTER TABLE users DROP email_verified_at, DROP password_set_at');
  }
}
