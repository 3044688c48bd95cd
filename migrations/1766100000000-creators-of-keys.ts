import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createKeyOf, KEY_CREATOR } from './parts/key-of';

/** `api_key_of` returns who created a key: it grants no more than that person still holds. */
export class CreatorsOfKeys1766100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createKeyOf(runner, KEY_CREATOR);
  }

  async down(runner: QueryRunner): Promise<void> {
    await createKeyOf(runner, {});
  }
}
