import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators can disable an audit stream. */
export class OperatorsViewOfAuditStreams1766250000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.allowReasons(runner, `'user', 'gone', 'failing', 'operator'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE audit_streams SET disabled_why = 'user' WHERE disabled_why = 'operator'`);
    await this.allowReasons(runner, `'user', 'gone', 'failing'`);
  }

  private async allowReasons(runner: QueryRunner, reasons: string): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_streams DROP CONSTRAINT audit_streams_disabled_why_check,
        ADD CONSTRAINT audit_streams_disabled_why_check CHECK (disabled_why IN (${reasons}))`);
  }
}
