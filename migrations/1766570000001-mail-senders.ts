import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who caused each of the newest emails of a recipient, in the order of `sent_at`. */
export class MailSenders1766570000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mail_allowances ADD senders text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mail_allowances DROP senders');
  }
}
