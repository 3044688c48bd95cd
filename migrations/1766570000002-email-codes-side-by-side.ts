import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A code that is being emailed is stored beside the one that was delivered. */
export class EmailCodesSideBySide1766570000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE email_codes DROP CONSTRAINT email_codes_pkey,
        ADD CONSTRAINT email_codes_pkey PRIMARY KEY (user_id, purpose, code_hash)`);
  }

  /** Codes are valid for ten minutes; what is open is deleted, because only one may be left. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM email_codes');
    await runner.query(`
      ALTER TABLE email_codes DROP CONSTRAINT email_codes_pkey,
        ADD CONSTRAINT email_codes_pkey PRIMARY KEY (user_id, purpose)`);
  }
}
