import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceEraseAuditDetails } from './parts/audit-log-erasure';

/**
 * Traces of a deleted account are found by its earlier addresses, too. The current one is first.
 */
export class EarlierAddressesOfDeletedAccounts1765480000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE account_erasures ADD emails text[] NOT NULL DEFAULT '{}'`);
    await runner.query('UPDATE account_erasures SET emails = ARRAY[email] WHERE email IS NOT NULL');
    await runner.query('ALTER TABLE account_erasures ALTER emails DROP DEFAULT, DROP email');
    await replaceEraseAuditDetails(runner, 'e.emails');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE account_erasures ADD email text');
    await runner.query('UPDATE account_erasures SET email = emails[1]');
    await runner.query('ALTER TABLE account_erasures DROP emails');
    await replaceEraseAuditDetails(runner, 'ARRAY[e.email]');
  }
}
