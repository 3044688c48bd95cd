import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createKeyOf, KEY_COUNTER, KEY_LIFETIME, KEY_NETWORKS } from './parts/key-of';

const BEFORE = { ...KEY_LIFETIME.columns, ...KEY_NETWORKS, ...KEY_COUNTER };

/**
 * What the session had proven in which a personal token was created, so that the sign-in policy of
 * its tenant applies to it. Of tokens that exist it is unknown, which counts as nothing.
 */
export class ProofsOfPersonalTokens1766600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN methods text[] NOT NULL DEFAULT '{}',
        ADD COLUMN second_factor_at timestamptz`);
    await createKeyOf(
      runner,
      {
        ...BEFORE,
        second_factor_from: [
          'timestamptz',
          'CASE WHEN k.user_id IS NOT NULL AND k.second_factor_at IS NULL THEN p.second_factor_from END',
        ],
        is_method_allowed: [
          'boolean',
          'k.user_id IS NULL OR p.allowed_methods IS NULL OR k.methods && p.allowed_methods',
        ],
      },
      KEY_LIFETIME.joined,
    );
    await runner.query('ALTER FUNCTION api_key_of ROWS 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await createKeyOf(runner, BEFORE, KEY_LIFETIME.joined);
    await runner.query('ALTER FUNCTION api_key_of ROWS 1');
    await runner.query('ALTER TABLE api_keys DROP COLUMN methods, DROP COLUMN second_factor_at');
  }
}
