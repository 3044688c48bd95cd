import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createKeyOf, KEY_LIFETIME, KEY_NETWORKS } from './parts/key-of';

/** The networks that a key was used from, so that the use from a new one is recorded. */
export class NetworksOfKeys1766100000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_keys ADD COLUMN used_networks text[] NOT NULL DEFAULT '{}'`);
    await createKeyOf(runner, { ...KEY_LIFETIME.columns, ...KEY_NETWORKS }, KEY_LIFETIME.joined);
  }

  async down(runner: QueryRunner): Promise<void> {
    await createKeyOf(runner, KEY_LIFETIME.columns, KEY_LIFETIME.joined);
    await runner.query('ALTER TABLE api_keys DROP COLUMN used_networks');
  }
}
