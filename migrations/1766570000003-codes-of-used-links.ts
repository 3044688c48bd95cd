import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a sign-in link was used elsewhere; its code still works in the browser that asked. */
export class CodesOfUsedLinks1766570000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE one_time_tokens ADD link_used_at timestamptz');
  }

  /** A link that was used does not work again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM one_time_tokens WHERE link_used_at IS NOT NULL');
    await runner.query('ALTER TABLE one_time_tokens DROP link_used_at');
  }
}
