import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index of the audit entries made while impersonating, of which there are few. */
export class WhatAdminsDidAsOthers1764700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX audit_log_impersonator_id_id_idx ON audit_log (impersonator_id, id)
        WHERE impersonator_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_log_impersonator_id_id_idx');
  }
}
