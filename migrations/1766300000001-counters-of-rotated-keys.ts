import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createKeyOf, KEY_COUNTER, KEY_LIFETIME, KEY_NETWORKS } from './parts/key-of';

/**
 * A key and the one that replaces it count their requests together. Keys that were replaced before
 * have no id of the first one, and count for themselves until they end.
 */
export class CountersOfRotatedKeys1766300000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD COLUMN counted_as uuid');
    await createKeyOf(runner, { ...KEY_LIFETIME.columns, ...KEY_NETWORKS, ...KEY_COUNTER }, KEY_LIFETIME.joined);
  }

  async down(runner: QueryRunner): Promise<void> {
    await createKeyOf(runner, { ...KEY_LIFETIME.columns, ...KEY_NETWORKS }, KEY_LIFETIME.joined);
    await runner.query('ALTER TABLE api_keys DROP COLUMN counted_as');
  }
}
