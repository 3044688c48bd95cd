import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createKeyOf } from './parts/key-of';

/** `api_key_of` returns who created a key: it grants no more than that person still holds. */
export class CreatorsOfKeys1766100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createKeyOf(runner, { created_by: ['uuid', 'k.created_by'] });
  }

  async down(runner: QueryRunner): Promise<void> {
    await createKeyOf(runner, {});
  }
}
