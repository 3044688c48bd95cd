import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts at codes from known devices are counted apart: others cannot use them up. */
export class AttemptsOfKnownDevices1766570000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE totp_factors
        ADD known_attempts integer NOT NULL DEFAULT 0,
        ADD known_attempts_since timestamptz,
        ADD known_attempts_in_row integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE totp_factors
        DROP known_attempts, DROP known_attempts_since, DROP known_attempts_in_row`);
  }
}
