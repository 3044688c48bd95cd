import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many mails to new addresses each cause asked for in an hour. Of a cause only a hash is kept.
 */
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
