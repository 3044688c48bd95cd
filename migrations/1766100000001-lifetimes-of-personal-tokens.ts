import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createKeyOf, KEY_CREATOR, KEY_LIFETIME } from './parts/key-of';

/** The sign-in policy of a tenant limits how long personal tokens can be used; 0: not at all. */
export class LifetimesOfPersonalTokens1766100000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_in_policies ADD COLUMN max_token_days integer');
    await createKeyOf(runner, KEY_LIFETIME.columns, KEY_LIFETIME.joined);
  }

  async down(runner: QueryRunner): Promise<void> {
    await createKeyOf(runner, KEY_CREATOR);
    await runner.query('ALTER TABLE sign_in_policies DROP COLUMN max_token_days');
  }
}
