import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Refresh tokens that contain the id of their row. Tokens of earlier versions, which are found by
 * `token_hash`, stay valid until they expire. Rows no longer change, so that pages can be full.
 */
export class RefreshTokensById1766450000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE refresh_tokens ADD COLUMN secret_hash bytea');
    await runner.query('ALTER TABLE refresh_tokens RESET (fillfactor)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE refresh_tokens SET (fillfactor = 90)');
    await runner.query('ALTER TABLE refresh_tokens DROP COLUMN secret_hash');
  }
}
