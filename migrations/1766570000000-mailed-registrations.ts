import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the email of a registration was sent, and who registered: a registration whose link was
 * delivered is not displaced by later ones. Those that are stored count as delivered.
 */
export class MailedRegistrations1766570000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE registrations ADD mailed_at timestamptz, ADD cause text');
    await runner.query('UPDATE registrations SET mailed_at = created_at');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE registrations DROP mailed_at, DROP cause');
  }
}
