import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions know which refresh token is current. A migration of its own: it would otherwise hold a
 * lock on one table and wait for the other, which statements lock in the opposite order.
 */
export class CurrentRefreshTokens1766450000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN current_token_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN current_token_id');
  }
}
