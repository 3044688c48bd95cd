import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators can disable an endpoint. */
export class OperatorsViewOfWebhooks1765800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.allowReasons(runner, `'user', 'gone', 'failing', 'operator'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE webhook_endpoints SET disabled_why = 'user' WHERE disabled_why = 'operator'`);
    await this.allowReasons(runner, `'user', 'gone', 'failing'`);
  }

  private async allowReasons(runner: QueryRunner, reasons: string): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints DROP CONSTRAINT webhook_endpoints_disabled_why_check,
        ADD CONSTRAINT webhook_endpoints_disabled_why_check CHECK (disabled_why IN (${reasons}))`);
  }
}
