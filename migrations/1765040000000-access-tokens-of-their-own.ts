import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Allows access tokens without a refresh token: their rows have an id, which is the jti, and no
 * hash.
 */
export class AccessTokensOfTheirOwn1765040000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE refresh_tokens ALTER COLUMN token_hash DROP NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM refresh_tokens WHERE token_hash IS NULL');
    await runner.query('ALTER TABLE refresh_tokens ALTER COLUMN token_hash SET NOT NULL');
  }
}
