import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails to new addresses per cause and hour. A cause is stored as a hash. */
export class MailShares1765200100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_shares (
        hour timestamptz NOT NULL,
        cause text NOT NULL,
        asked integer NOT NULL,
        CONSTRAINT mail_shares_pkey PRIMARY KEY (hour, cause)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_shares');
  }
}
